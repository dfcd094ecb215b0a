// Invariants
// * `buffer` holds the bytes of the file from `base` on and is never changed once filled, so slices of it may be kept.

package import Storage

/// Reads a file forward in large pieces.
struct ReadWindow {
    let file: any File
    /// Bytes of the file as seen when the window was made; nothing behind is looked at.
    let size: UInt64
    private let chunk: Int
    private var base: UInt64 = 0
    private var buffer: [UInt8] = []

    init(_ file: any File, chunk: Int = 256 << 10) throws(StorageError) {
        self.file = file
        self.chunk = chunk
        size = try file.size()
    }

    /// The `count` bytes at `offset`, or nil when the file ends before.
    mutating func bytes(at offset: UInt64, count: Int) throws(StorageError) -> ArraySlice<UInt8>? {
        guard offset <= size, UInt64(count) <= size - offset else { return nil }
        if offset < base || offset + UInt64(count) > base + UInt64(buffer.count) {
            let length = Int(min(UInt64(max(count, chunk)), size - offset))
            buffer = try file.bytes(at: offset, count: length)
            base = offset
            // The file may have been cut since its size was taken.
            guard buffer.count >= count else { return nil }
        }
        let start = Int(offset - base)
        return buffer[start..<start + count]
    }
}

extension File {
    /// Up to `count` bytes from `offset` on, fewer only at the end of the file.
    package func bytes(at offset: UInt64, count: Int) throws(StorageError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        var span = buffer.mutableSpan
        let read = try read(into: &span, at: offset)
        if read < count { buffer.removeLast(count - read) }
        return buffer
    }
}
