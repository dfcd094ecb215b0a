// Invariants
// * `known` is what the file held when it had these attributes. A replaced file has others, whoever replaced it.

public import Storage
import Synchronization

/// The devices that this one syncs with: a file that other processes may change, too.
///
/// ```swift
/// let trusted = TrustList(in: "/var/lib/posts/device")
/// try trusted.trust(DeviceID(parsing: typed), name: "Anna's laptop")
/// ```
///
/// Any thread may call anything. Every question looks whether the file was changed since.
public final class TrustList: Sendable {
    private struct Known {
        var attributes: FileAttributes?
        var devices: [TrustedDevice] = []
    }

    private let files: DeviceFiles
    private let clock: any WallClock
    private let known = Mutex(Known())

    /// The most characters that a name may have.
    public static let longestName = 100

    /// The list in a directory, which need not exist yet.
    public init(in directory: String, environment: Environment = .system) {
        files = DeviceFiles(directory: directory, fileSystem: environment.fileSystem)
        clock = environment.clock
    }

    /// All trusted devices, in the order in which they were trusted.
    ///
    /// - Throws: ``DeviceError/Code/damagedTrustList`` when a line is none; nobody is trusted until it is mended.
    public func devices() throws(DeviceError) -> [TrustedDevice] {
        try known.withLock { known throws(DeviceError) -> [TrustedDevice] in
            let attributes: FileAttributes?
            do throws(StorageError) {
                attributes = try files.fileSystem.attributes(of: files.trusted)
            } catch {
                throw DeviceError(error)
            }
            if attributes == nil || attributes != known.attributes {
                // Looked at before it is read: of a change in between, the next question hears.
                let text = try files.read(files.trusted) ?? ""
                known = Known(attributes: attributes, devices: try TrustFile.read(text, path: files.trusted))
            }
            return known.devices
        }
    }

    /// Whether a device is trusted now.
    public func contains(_ id: DeviceID) throws(DeviceError) -> Bool { try devices().contains { $0.id == id } }

    /// Trusts a device, or gives a trusted one another name; durable on return.
    ///
    /// - Returns: Whether it was not trusted before.
    /// - Throws: ``DeviceError/Code/badName`` for a name of several lines or of more than a hundred characters.
    @discardableResult
    public func trust(_ id: DeviceID, name: String = "") throws(DeviceError) -> Bool {
        let trimmed = try Self.checked(name)
        return try change { devices in
            if let index = devices.firstIndex(where: { $0.id == id }) {
                devices[index].name = trimmed
                return false
            }
            devices.append(TrustedDevice(id: id, name: trimmed, addedAt: clock.now()))
            return true
        }
    }

    /// Trusts a device no longer; durable on return.
    ///
    /// Its sessions end within a second or so.
    ///
    /// - Returns: Whether it was trusted.
    @discardableResult
    public func untrust(_ id: DeviceID) throws(DeviceError) -> Bool {
        try change { devices in
            let count = devices.count
            devices.removeAll { $0.id == id }
            return devices.count < count
        }
    }

    private func change(_ body: (inout [TrustedDevice]) -> Bool) throws(DeviceError) -> Bool {
        try files.locked { () throws(DeviceError) -> Bool in
            let before = try TrustFile.read(try files.read(files.trusted) ?? "", path: files.trusted)
            var devices = before
            let answer = body(&devices)
            if devices != before { try files.write(TrustFile.text(devices), to: files.trusted, isPrivate: false) }
            return answer
        }
    }

    private static func checked(_ name: String) throws(DeviceError) -> String {
        let words = name.split(separator: " ").joined(separator: " ")
        guard words.count <= longestName, !words.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }),
            !words.contains(where: \.isNewline)
        else {
            throw DeviceError(
                .badName, "the name of a device is one line of at most \(longestName) characters; choose another one")
        }
        return words
    }
}
