import EventLog
import Projection

/// What an undo did, and what it could not do.
public struct UndoSummary: Hashable, Sendable {
    /// How many objects it deleted, because the transaction had inserted or restored them.
    public let deleted: Int
    /// How many objects it restored.
    public let restored: Int
    /// How many objects it changed otherwise.
    public let updated: Int
    /// What could not be taken back, because later writes hold; ascending by object and property.
    public let leftovers: [UndoLeftover]

    init(_ plan: UndoPlan) {
        var deleted: Set<ObjectID> = []
        var restored: Set<ObjectID> = []
        var updated: Set<ObjectID> = []
        for change in plan.changes {
            guard let object = change.object else { continue }
            switch change {
            case .delete: deleted.insert(object)
            case .restore: restored.insert(object)
            default: updated.insert(object)
            }
        }
        self.deleted = deleted.count
        self.restored = restored.count
        self.updated = updated.subtracting(deleted).subtracting(restored).count
        leftovers = plan.leftovers.map(UndoLeftover.init)
    }

    /// Whether it changed nothing.
    public var isEmpty: Bool { deleted + restored + updated == 0 }
}

extension UndoSummary: CustomStringConvertible {
    public var description: String {
        if isEmpty { return leftovers.isEmpty ? "nothing to undo" : "nothing undone, \(leftovers.count) left" }
        let done = [(deleted, "deleted"), (restored, "restored"), (updated, "changed back")].filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)" }
        return (done + (leftovers.isEmpty ? [] : ["\(leftovers.count) left"])).joined(separator: ", ")
    }
}
