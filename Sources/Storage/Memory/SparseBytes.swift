/// The bytes of a file in memory, in chunks that copies share until one of them writes.
///
/// A copy costs a reference; a write after it copies the chunks it touches, not the file. Holes take no memory.
package struct SparseBytes: Sendable {
    /// The length of the file.
    package private(set) var count = 0
    /// A chunk may be shorter than `chunkSize`, or empty: what is missing up to `count` is zeros.
    ///
    /// None has bytes past `count`.
    private var chunks: [[UInt8]] = []

    package static let chunkSize = 16_384

    package init() {}

    package init(_ bytes: [UInt8]) { write(bytes.span, at: 0) }

    /// Fills `buffer` from `offset` on; returns how many bytes there were.
    package func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) -> Int {
        let total = min(buffer.count, max(0, count - offset))
        var done = 0
        while done < total {
            let start = (offset + done) % Self.chunkSize
            let length = min(total - done, Self.chunkSize - start)
            let index = (offset + done) / Self.chunkSize
            let chunk = index < chunks.count ? chunks[index] : []
            let present = min(length, max(0, chunk.count - start))
            unsafe buffer.withUnsafeMutableBufferPointer { target in
                let target = unsafe UnsafeMutableBufferPointer(rebasing: target[done..<done + length])
                if present > 0 {
                    unsafe chunk.withUnsafeBufferPointer {
                        guard let into = target.baseAddress, let from = $0.baseAddress else { return }
                        unsafe into.update(from: from + start, count: present)
                    }
                }
                if present < length { unsafe target[present...].update(repeating: 0) }
            }
            done += length
        }
        return total
    }

    /// Writes `bytes` at `offset`, growing the file where needed; a gap reads as zeros.
    package mutating func write(_ bytes: Span<UInt8>, at offset: Int) {
        guard !bytes.isEmpty else { return }
        let end = offset + bytes.count
        let needed = (end + Self.chunkSize - 1) / Self.chunkSize
        while chunks.count < needed { chunks.append([]) }
        var done = 0
        while done < bytes.count {
            let start = (offset + done) % Self.chunkSize
            let length = min(bytes.count - done, Self.chunkSize - start)
            let source = bytes.extracting(done..<done + length)
            chunks[(offset + done) / Self.chunkSize].overwrite(with: source, at: start)
            done += length
        }
        count = max(count, end)
    }

    /// Sets the length, cutting or filling with zeros.
    package mutating func truncate(to size: Int) {
        if size < count {
            let kept = (size + Self.chunkSize - 1) / Self.chunkSize
            if chunks.count > kept { chunks.removeLast(chunks.count - kept) }
            // What was cut off must not come back when the file grows again.
            let last = size % Self.chunkSize
            if last > 0, chunks.count == kept, chunks[kept - 1].count > last {
                chunks[kept - 1].removeLast(chunks[kept - 1].count - last)
            }
        }
        count = size
    }

    /// All bytes in one array.
    package func contiguous() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        _ = read(into: &span, at: 0)
        return bytes
    }
}

extension [UInt8] {
    /// Replaces the bytes from `start` on, filling a gap with zeros and growing where needed.
    fileprivate mutating func overwrite(with source: Span<UInt8>, at start: Int) {
        if count < start { append(contentsOf: [UInt8](repeating: 0, count: start - count)) }
        unsafe source.withUnsafeBufferPointer { source in
            let replaced = Swift.min(source.count, count - start)
            if replaced > 0 {
                unsafe withUnsafeMutableBufferPointer {
                    guard let into = $0.baseAddress, let from = source.baseAddress else { return }
                    unsafe (into + start).update(from: from, count: replaced)
                }
            }
            if replaced < source.count { unsafe append(contentsOf: source[replaced...]) }
        }
    }
}
