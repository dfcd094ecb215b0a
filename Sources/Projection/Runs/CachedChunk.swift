/// What a block cache keeps: a decoded chunk of any kind.
enum CachedChunk: Sendable {
    case heads(RowHeads)
    case column(ColumnChunk)
    case rows(BlockRows)
    case terms(TermBlock)
    case texts(TextNumbers)

    /// About how much memory it takes.
    var memory: Int {
        switch self {
        case .heads(let chunk): chunk.memory
        case .column(let chunk): chunk.memory
        case .rows(let rows): rows.memory
        case .terms(let chunk): chunk.memory
        case .texts(let numbers): numbers.memory
        }
    }
}
