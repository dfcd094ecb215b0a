import Storage

/// Bytes 3, 10, 17, …: a pattern that reference tools can make as well.
func patternBytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) } }

extension File {
    func readBytes(_ count: Int, at offset: UInt64 = 0) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: count)
        var span = bytes.mutableSpan
        let read = try self.read(into: &span, at: offset)
        return Array(bytes.prefix(read))
    }
}

/// The code of the error that `body` throws, or nil.
func code(_ body: () throws -> Void) -> StorageError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}
