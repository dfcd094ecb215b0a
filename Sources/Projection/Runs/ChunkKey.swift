/// Names a chunk within a process: the run by the number its cache gave it, and where the chunk begins in the file.
struct ChunkKey: Hashable, Sendable {
    private let bits: UInt64

    init(run: UInt64, offset: UInt64) { bits = run << 40 ^ offset }

    var run: UInt64 { bits >> 40 }
    /// Well mixed.
    var hash: UInt64 { (bits ^ bits >> 31) &* 0x9E37_79B9_7F4A_7C15 }

    func hash(into hasher: inout Hasher) { hasher.combine(bits) }
}
