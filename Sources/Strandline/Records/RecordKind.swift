/// What a record tells, each with the sentence, or the noun of what has a beginning and an end, that its message begins with.
///
/// The names are what `kind == '…'` looks for in a predicate: they do not change.
package enum RecordKind: String, Sendable, CaseIterable {
    // What takes time.
    case opening, closing, rebuild, compaction, trim, backup
    // Opening and recovery.
    case recovered, quarantined, newReplica
    case recordsLost

    package var category: RecordCategory {
        switch self {
        case .opening, .closing, .rebuild, .compaction, .trim, .backup, .recovered, .quarantined, .newReplica, .recordsLost:
            .store
        }
    }

    package var level: RecordLevel {
        switch self {
        case .opening, .closing, .rebuild, .compaction, .trim, .backup: .info
        case .recovered, .quarantined, .newReplica: .notice
        case .recordsLost: .error
        }
    }

    package var sentence: String {
        switch self {
        case .opening: "opening the store"
        case .closing: "closing the store"
        case .rebuild: "the rebuild of the projection"
        case .compaction: "compaction"
        case .trim: "the trim"
        case .backup: "the backup"
        case .recovered: "the last user did not close the store, and its end was looked at"
        case .quarantined: "bytes were cut off the end of the log, and are kept in quarantine"
        case .newReplica: "the store writes under a new replica id"
        case .recordsLost: "records could not be written"
        }
    }
}
