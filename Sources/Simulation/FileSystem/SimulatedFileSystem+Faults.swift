public import Storage
import Synchronization

extension SimulatedFileSystem {
    /// Calls made so far that were not refused for want of power.
    public var callCount: Int { state.withLock { $0.calls } }

    /// Calls so far that changed what a power cut would leave.
    public var changeCount: Int { state.withLock { $0.changes } }

    /// Pieces (writes, lengths, names) that the device does not hold yet.
    public var unsyncedCount: Int { state.withLock { $0.journal.pieces.count } }

    /// Whether a call was refused because the power was cut.
    public var isPowerCut: Bool { state.withLock { $0.isCut } }

    /// How many calls failed by a fault.
    public var failureCount: Int { state.withLock { $0.faults.reduce(0) { $0 + $1.fired } } }

    /// Arms a fault; its count begins now.
    ///
    /// Of several that are due the first one armed wins.
    public func inject(_ fault: Fault) { state.withLock { $0.faults.append(ArmedFault(fault: fault)) } }

    /// Lets the `index`-th call from now on (from 0) of the given kinds fail; with `sticky` all later ones as well.
    public func failOperation(
        at index: Int, with code: StorageError.Code = .inputOutput, sticky: Bool = false,
        operations: OperationKinds = .all
    ) {
        inject(Fault(at: index, of: operations, with: code, sticky: sticky))
    }

    /// Disarms all faults, and a power cut that has not happened yet.
    public func clearFaults() {
        state.withLock { state in
            state.faults = []
            if !state.isCut { state.cutAt = nil }
        }
    }

    /// Cuts the power before change `index`, counted from 0 since this file system was made (see ``changeCount``): it and all
    /// later calls throw an error for which ``isPowerCut(_:)`` holds.
    public func cutPower(at index: Int) { state.withLock { $0.cutAt = index } }

    /// Whether an error comes from a power cut and not from a fault or a mistake.
    public static func isPowerCut(_ error: any Error) -> Bool {
        (error as? StorageError)?.detail == powerCutSentence
    }

    static func powerCutError(_ operation: String, _ path: String) -> StorageError {
        StorageError(.inputOutput, operation, path: path, detail: powerCutSentence)
    }

    private static let powerCutSentence = "the power was cut"
}
