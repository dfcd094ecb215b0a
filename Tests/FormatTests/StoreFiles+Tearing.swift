import EventLog
import Storage

extension StoreFiles {
    /// Zeroes the last page that holds a frame's body: what a disk leaves that wrote only some pages of a group.
    mutating func tearLastGroup() throws {
        guard let name = contents.keys.filter({ $0.hasSuffix(".seg") }).max(), var bytes = contents[name],
            let last = bytes.lastIndex(where: { $0 != 0 })
        else { throw StorageError(.notFound, "tear", path: "a segment") }
        for index in (last / 4096 * 4096 + 512)..<bytes.count { bytes[index] = 0 }
        replace(name, with: bytes)
    }
}
