/// How much a record matters, ascending.
package enum RecordImportance: String, Sendable, CaseIterable, Comparable {
    /// For whoever looks for a mistake: the beginning of what takes time.
    case debug
    /// What goes on as it should.
    case info
    /// What somebody may have to know of: something was mended, refused, held back.
    case notice
    /// What failed.
    case error

    package static func < (a: RecordImportance, b: RecordImportance) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .notice: 2
        case .error: 3
        }
    }
}
