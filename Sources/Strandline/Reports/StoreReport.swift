/// What a store noticed and did by itself, for a log: nothing of it is an error, and nothing was lost.
public enum StoreReport: Sendable, Hashable, CustomStringConvertible {
    /// Something of the projection could not be read; it was made anew from the log.
    case projectionRepaired(reason: String)
    /// A snapshot, held since so long, keeps files that the store itself needs no more.
    case snapshotHeld(for: Duration, bytes: UInt64)

    public var description: String {
        switch self {
        case .projectionRepaired(let reason):
            "the projection was damaged and was made anew from the log, which has everything: \(reason)"
        case .snapshotHeld(let duration, let bytes):
            "a snapshot held for \(duration.components.seconds) s keeps \(bytes) bytes of files that are needed no more; let go of it"
        }
    }
}
