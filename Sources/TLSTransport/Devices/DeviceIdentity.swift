public import Storage

/// Who this device is to others: an Ed25519 key that never leaves it.
///
/// ```swift
/// let identity = try DeviceIdentity.open(in: "/var/lib/posts/device")
/// print(identity.id)   // to be typed at the other device: strandline trust STORE ID
/// ```
public struct DeviceIdentity: Sendable {
    /// What others know it by.
    public let id: DeviceID
    let key: DeviceKey

    /// The identity in a directory, made at first use.
    ///
    /// The key stands in `device.key`, which only its owner may open, and which is on disk before this returns. However many processes begin
    /// at once, all get the same. The certificate that TLS wants is made from the key each time, always the same one.
    ///
    /// - Parameter environment: Files, and the chance the key is made of.
    /// - Throws: ``DeviceError/Code/damagedKey`` when the file is not as it was written; it is never replaced.
    public static func open(
        in directory: String, environment: Environment = .system
    ) throws(DeviceError) -> DeviceIdentity {
        let files = DeviceFiles(directory: directory, fileSystem: environment.fileSystem)
        if let present = try load(files) { return present }
        return try files.locked { () throws(DeviceError) -> DeviceIdentity in
            // Another process may have been first.
            if let present = try load(files) { return present }
            var seed: [UInt8] = []
            while seed.count < KeyFile.seedCount {
                let word = environment.random.next()
                for shift in 0..<8 { seed.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift))) }
            }
            let key = try DeviceKey(seed: seed)
            try files.write(KeyFile.text(seed: seed, id: key.id), to: files.key, isPrivate: true)
            return DeviceIdentity(id: key.id, key: key)
        }
    }

    private static func load(_ files: DeviceFiles) throws(DeviceError) -> DeviceIdentity? {
        guard let text = try files.read(files.key) else { return nil }
        let (seed, id) = try KeyFile.read(text, path: files.key)
        let key = try DeviceKey(seed: seed)
        guard key.id == id else { throw KeyFile.damaged(files.key, "its key is not that of the device it names") }
        return DeviceIdentity(id: key.id, key: key)
    }
}
