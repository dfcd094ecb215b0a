import Storage

/// A fault and how many calls it has counted.
struct ArmedFault: Sendable {
    let fault: Fault
    var seen = 0
    var fired = 0

    var effect: Fault.Effect { fault.effect }

    func error(_ operation: String, _ path: String, offset: UInt64? = nil) -> StorageError {
        StorageError(fault.code, operation, path: path, offset: offset, detail: "a simulated failure")
    }
}

extension SimulatedFileSystem.State {
    /// Counts a call, and throws if it is to fail.
    mutating func perform(
        _ kind: OperationKinds, _ operation: String, _ path: String, offset: UInt64? = nil, isChange: Bool = true
    ) throws(StorageError) {
        if let fault = try firing(kind, operation, path, isChange: isChange) {
            throw fault.error(operation, path, offset: offset)
        }
    }

    /// As `perform`, for calls that do something before they fail.
    ///
    /// `isChange` says whether a call of a changing kind has
    /// anything to change, since a power cut before one that has not leaves nothing new.
    mutating func firing(
        _ kind: OperationKinds, _ operation: String, _ path: String, isChange: Bool = true
    ) throws(StorageError) -> ArmedFault? {
        let isChange = isChange && OperationKinds.changes.contains(kind)
        if isChange, let cutAt, changes >= cutAt { isCut = true }
        if isCut { throw SimulatedFileSystem.powerCutError(operation, path) }
        calls += 1
        if isChange { changes += 1 }
        var firing: ArmedFault?
        for index in faults.indices where faults[index].fault.operations.contains(kind) {
            let armed = faults[index]
            faults[index].seen += 1
            let isDue = armed.seen == armed.fault.index || (armed.fault.isSticky && armed.seen > armed.fault.index)
            if isDue, firing == nil {
                faults[index].fired += 1
                firing = faults[index]
            }
        }
        return firing
    }
}
