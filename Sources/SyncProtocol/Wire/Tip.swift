package import EventLog

/// How far a replica has come in a branch of an origin: its last transaction there, proved by its chain.
package struct Tip: Hashable, Sendable {
    package var origin: ReplicaID
    package var position: BranchPosition

    package init(origin: ReplicaID, position: BranchPosition) {
        self.origin = origin
        self.position = position
    }
}

extension BranchTable {
    /// Where each line of transactions ends; ascending by origin.
    package var tips: [Tip] {
        branches.filter { !$0.isForked && $0.last.sequence > 0 }
            .map { Tip(origin: $0.root.origin, position: $0.last) }
            .sorted {
                ($0.origin, $0.position.sequence, $0.position.chain) < ($1.origin, $1.position.sequence, $1.position.chain)
            }
    }
}
