import EventLog
import Projection
import Storage

/// What a log means, by the definition: all of it in memory, resolved and folded anew.
struct LogOracle {
    /// As they were written, in the order of the log.
    let written: [Transaction]
    /// The chains of those that are applied.
    let applied: Set<Digest128>
    let isForked: Bool
    let resolved: ResolvedHistory

    init(_ environment: Environment, at path: String = "/store") throws {
        let log = try EventLog.open(at: path, in: environment, mode: .readOnly)
        defer { try? log.close() }
        var reader = try LogReader(log)
        var decoder = TransactionDecoder()
        var written: [Transaction] = []
        var applied: Set<Digest128> = []
        while let stored = try reader.next() {
            var parts: [PartBytes] = []
            try log.forEachPart(of: stored) { parts.append($0) }
            written.append(
                try decoder.decode(
                    parts: parts, origin: stored.branch.origin, sequence: stored.sequence,
                    previousChain: stored.previousChain, chain: stored.chain))
            if reader.isApplied(stored) { applied.insert(stored.chain) }
        }
        self.written = written
        self.applied = applied
        isForked = log.durableState.branches.hasForks
        resolved = ResolvedHistory(written, applied: applied)
    }

    var state: FoldState { ReferenceFold.fold(resolved) }

    /// The state of some of what is applied, under the names of now.
    func state(of chains: Set<Digest128>) -> FoldState { ReferenceFold.fold(ResolvedHistory(written, applied: chains)) }

    /// By branch name of now, up to where some of what is applied goes.
    func vector(of chains: Set<Digest128>) -> [ReplicaID: UInt64] {
        var vector: [ReplicaID: UInt64] = [:]
        for transaction in resolved.transactions where chains.contains(transaction.header.chain) {
            vector[transaction.header.origin] = transaction.header.sequence
        }
        return vector
    }

    /// Whether something that was applied reads otherwise now.
    func renames(_ earlier: LogOracle) -> Bool {
        let now = Dictionary(uniqueKeysWithValues: resolved.transactions.map { ($0.header.chain, $0) })
        return earlier.resolved.transactions.contains { now[$0.header.chain] != $0 }
    }
}
