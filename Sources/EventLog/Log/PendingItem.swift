package import Storage

/// Something that waits to be written in the next group.
package enum PendingItem: Sendable {
    /// A transaction of one part.
    case transaction(
        BranchRoot, sequence: UInt64, part: PartBytes, timestamp: Timestamp, previousChain: Digest128, chain: Digest128)
    /// A frame made elsewhere, with what it means.
    case frame(Frame, [LogEvent])

    var events: [LogEvent] {
        switch self {
        case .transaction(let root, let sequence, _, let timestamp, _, let chain):
            [.extend(root, to: BranchPosition(sequence: sequence, chain: chain), timestamp: timestamp, transactions: 1)]
        case .frame(_, let events): events
        }
    }

    /// Logical bytes, about.
    var size: Int {
        switch self {
        case .transaction(_, _, let part, _, _, _): part.count + 8
        case .frame(let frame, _): Int(frame.header.logicalLength)
        }
    }
}
