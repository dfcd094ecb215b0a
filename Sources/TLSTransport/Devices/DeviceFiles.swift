// Invariants
// * Both files are changed under the lock of `devices.lock` only, and replaced whole: a reader needs no lock.

import Storage

/// The files of a directory that hold this device's key and the devices it trusts.
struct DeviceFiles: Sendable {
    let directory: String
    let fileSystem: any FileSystem

    var key: String { Path.join(directory, "device.key") }
    var trusted: String { Path.join(directory, "trusted-devices") }

    /// Far more than either ever has.
    private static let limit = 4 << 20

    /// The text of a file; nil when there is none.
    func read(_ path: String) throws(DeviceError) -> String? {
        do throws(StorageError) {
            return String(decoding: try fileSystem.readWhole(path, limit: Self.limit), as: UTF8.self)
        } catch {
            if error.code == .notFound { return nil }
            throw DeviceError(error)
        }
    }

    func write(_ text: String, to path: String, isPrivate: Bool) throws(DeviceError) {
        do throws(StorageError) {
            try fileSystem.replace(path, with: Array(text.utf8), isPrivate: isPrivate)
        } catch {
            throw DeviceError(error)
        }
    }

    /// Runs `body` while no other process, nor another thread of this one, changes the files; creates the directory.
    func locked<Result>(_ body: () throws(DeviceError) -> Result) throws(DeviceError) -> Result {
        let lock = try takeLock()
        defer { lock.close() }
        return try body()
    }

    private func takeLock() throws(DeviceError) -> any File {
        do throws(StorageError) {
            try fileSystem.createDirectories(directory)
            let lock = try fileSystem.open(Path.join(directory, "devices.lock"), .create)
            try lock.lock()
            return lock
        } catch {
            throw DeviceError(error)
        }
    }
}
