// Invariants
// * The `count` bytes from `head` on, around the end, are those written and not read yet; `count <= capacity`.

/// A queue of bytes in a piece of memory of fixed size.
struct RingBuffer: Sendable {
    private var storage: [UInt8]
    private var head = 0
    private(set) var count = 0

    init(capacity: Int) { storage = [UInt8](repeating: 0, count: capacity) }

    var isFull: Bool { count == storage.count }

    /// Takes what there is room for, from the front; returns how much.
    mutating func write(_ bytes: Span<UInt8>) -> Int {
        let taken = min(bytes.count, storage.count - count)
        let tail = (head + count) % storage.count
        let first = min(taken, storage.count - tail)
        unsafe storage.withUnsafeMutableBytes { target in
            unsafe bytes.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[tail..<tail + first])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[0..<first]))
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[0..<taken - first])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[first..<taken]))
            }
        }
        count += taken
        return taken
    }

    /// Moves what there is into the front of `buffer`; returns how much.
    mutating func read(into buffer: inout MutableSpan<UInt8>) -> Int {
        let given = min(buffer.count, count)
        let first = min(given, storage.count - head)
        let start = head
        unsafe buffer.withUnsafeMutableBytes { target in
            unsafe storage.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[0..<first])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + first]))
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[first..<given])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[0..<given - first]))
            }
        }
        head = (head + given) % storage.count
        count -= given
        return given
    }
}
