/// Bytes in memory, handed out in pieces.
package struct MemoryByteSource: JSONByteSource {
    package let name: String
    private let bytes: [UInt8]
    private var next = 0
    private let pieces: (Int) -> Int

    /// `pieces` tells, for a position in `bytes`, how many bytes a read there yields at most; everything unless given.
    package init(_ bytes: [UInt8], name: String = "memory", pieces: @escaping (Int) -> Int = { _ in .max }) {
        self.bytes = bytes
        self.name = name
        self.pieces = pieces
    }

    package mutating func read(into buffer: inout [UInt8], at room: Range<Int>) -> Int {
        let count = min(room.count, bytes.count - next, max(1, pieces(next)))
        for index in 0..<count { buffer[room.lowerBound + index] = bytes[next + index] }
        next += count
        return count
    }
}
