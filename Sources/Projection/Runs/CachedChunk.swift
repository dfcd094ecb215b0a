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
