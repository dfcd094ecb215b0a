import Strandline

/// Looks for holes in a store's history.
enum DenseHistory {
    /// What is wrong; nothing when each origin's sequences count up from 1.
    static func problems(of store: Store) async throws -> [String] {
        var last: [ReplicaID: UInt64] = [:]
        var problems: [String] = []
        for try await transaction in store.history() {
            let (origin, sequence) = (transaction.header.origin, transaction.header.sequence)
            if sequence != (last[origin] ?? 0) + 1 { problems.append("\(sequence) after \(last[origin] ?? 0) of \(origin)") }
            last[origin] = sequence
        }
        return problems
    }
}
