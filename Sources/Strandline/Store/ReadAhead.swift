import EventLog
import Projection

// Invariants
// * `updated` names the objects of all `transactions` that may have been there before.

/// Transactions that were read and are joined together, so that what they change can be read in the order of the runs.
struct ReadAhead {
    /// So many changes are read ahead: enough that those of a large store meet in its blocks, few enough for memory.
    private static let mostChanges = 50_000

    private(set) var transactions: [GroupedTransaction] = []
    private(set) var updated: Set<ObjectID> = []
    private var changes = 0

    var isFull: Bool { changes >= Self.mostChanges }

    mutating func append(_ transaction: GroupedTransaction) {
        transactions.append(transaction)
        changes += max(1, transaction.count)
        for group in transaction.groups { updated.formUnion(group.touchedObjects) }
    }

    mutating func removeAll() { self = ReadAhead() }
}
