/// What a block cache keeps: a decoded chunk of any kind.
enum CachedChunk: Sendable {
    case heads(RowHeads)
    case stamps(RowStamps)
    case extra(ExtraRows)
    case column(ColumnChunk)
    case terms(TermBlock)

    /// About how much memory it takes.
    var memory: Int {
        switch self {
        case .heads(let chunk): chunk.memory
        case .stamps(let chunk): chunk.memory
        case .extra(let chunk): chunk.memory
        case .column(let chunk): chunk.memory
        case .terms(let chunk): chunk.memory
        }
    }
}

/// Names a chunk within a process: the run by the number its cache gave it, and where the chunk begins in the file.
struct ChunkKey: Hashable, Sendable {
    private let bits: UInt64

    init(run: UInt64, offset: UInt64) { bits = run << 40 ^ offset }

    var run: UInt64 { bits >> 40 }
    /// Well mixed.
    var hash: UInt64 { (bits ^ bits >> 31) &* 0x9E37_79B9_7F4A_7C15 }

    func hash(into hasher: inout Hasher) { hasher.combine(bits) }
}
