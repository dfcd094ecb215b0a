package import EventLog

/// The members that a record may have beside those that all have; predicates know them by these names.
package enum RecordFieldName: String, Sendable, CaseIterable {
    // Ids and names.
    case dataset, replica, origin, entity, property, consumer, peer, file
    // Words.
    case error, cause, reason, tail
    // Counts and places.
    case transactions, blobs, bytes, records, origins, exchanges, flushes
    case transactionsSent, transactionsReceived, bytesSent, bytesReceived, blobsSent, blobsReceived
    case first, last, sequence, lsn, offset, errno, lag, bytesFreed, refused, lost
    case aheadMilliseconds, afterMilliseconds, seconds
    // Durations.
    case milliseconds, flushMeanMilliseconds, flushLongestMilliseconds
    case readOnly, wasHeld, forced

    package var type: ValueType {
        switch self {
        case .dataset, .replica, .origin, .entity, .property, .consumer, .peer, .file, .error, .cause, .reason, .tail:
            .string
        case .milliseconds, .flushMeanMilliseconds, .flushLongestMilliseconds: .double
        case .readOnly, .wasHeld, .forced: .bool
        default: .int
        }
    }
}
