public import EventLog

/// What a store noticed and did by itself, for a log: nothing of it is an error, and nothing was lost.
public enum StoreReport: Sendable, Hashable, CustomStringConvertible {
    /// Something of the projection could not be read; it was made anew from the log.
    case projectionRepaired(reason: String)
    /// A snapshot, held since so long, keeps files that the store itself needs no more.
    case snapshotHeld(for: Duration, bytes: UInt64)
    /// A property of the app's schema is known to the store under other types too, as when its type was changed: values of those
    /// are kept, and do not show in this property.
    case propertyRetyped(entity: String, property: String, type: ValueType, stored: [ValueType])

    public var description: String {
        switch self {
        case .projectionRepaired(let reason):
            "the projection was damaged and was made anew from the log, which has everything: \(reason)"
        case .snapshotHeld(let duration, let bytes):
            "a snapshot held for \(duration.components.seconds) s keeps \(bytes) bytes of files that are needed no more; let go of it"
        case .propertyRetyped(let entity, let property, let type, let stored):
            "\(entity).\(property) is of type \(type) now, and values that were stored as "
                + "\(stored.map { "\($0)" }.joined(separator: " or ")) read as its default; give the property another name, "
                + "or write the old values over by their names"
        }
    }
}
