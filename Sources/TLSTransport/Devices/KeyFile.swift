/// The format of `device.key`: a line for people, the device id, and the key as PEM (PKCS #8), which `openssl pkey` reads too.
enum KeyFile {
    static let seedCount = 32

    private static let begin = "-----BEGIN PRIVATE KEY-----"
    private static let end = "-----END PRIVATE KEY-----"
    private static let label = "Device: "
    /// RFC 8410: version 0, algorithm 1.3.101.112 (Ed25519), and an octet string with one of 32 bytes in it.
    private static let prefix: [UInt8] = [0x30, 0x2E, 0x02, 0x01, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20]

    static func text(seed: [UInt8], id: DeviceID) -> String {
        """
        The key of this device. Keep it secret: whoever has it is this device.
        \(label)\(id)
        \(begin)
        \(Base64.encode(prefix + seed))
        \(end)

        """
    }

    /// The id is there to notice a key that was damaged: every 32 bytes are some key.
    static func read(_ text: String, path: String) throws(DeviceError) -> (seed: [UInt8], id: DeviceID) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let named = lines.first(where: { $0.hasPrefix(label) }) else { throw damaged(path, "it names no device") }
        let id: DeviceID
        do throws(DeviceError) {
            id = try DeviceID(parsing: String(named.dropFirst(label.count)))
        } catch {
            throw damaged(path, error.message)
        }
        guard let first = lines.firstIndex(of: Substring(begin)), lines.count > first + 2, lines[first + 2] == end,
            let key = Base64.decode(String(lines[first + 1])), key.count == prefix.count + seedCount, key.starts(with: prefix)
        else { throw damaged(path, "it holds no Ed25519 key in PEM") }
        return (Array(key.suffix(seedCount)), id)
    }

    static func damaged(_ path: String, _ what: String) -> DeviceError {
        DeviceError(
            .damagedKey,
            "the key of this device, \(path), is damaged: \(what); bring it back from a backup, or move it away to become a new "
                + "device, which the others must be told to trust")
    }
}
