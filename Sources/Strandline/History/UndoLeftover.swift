public import EventLog
import Projection

/// Something that an undo could not take back.
public struct UndoLeftover: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable {
        /// A later or winning write holds.
        case overwritten
        /// The object was deleted, or deleted and restored, since.
        case gone
        /// The inserted object cannot be deleted: others refer to it under the rule deny.
        case denied
    }

    public let object: ObjectID
    /// Nil for the object itself.
    public let property: Property?
    public let reason: Reason

    init(_ leftover: UndoPlan.Leftover) {
        object = leftover.object
        property = leftover.property
        reason =
            switch leftover.reason {
            case .overwritten: .overwritten
            case .gone: .gone
            case .denied: .denied
            }
    }
}
