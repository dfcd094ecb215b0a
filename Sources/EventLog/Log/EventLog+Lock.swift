import Storage
import Synchronization

extension EventLog {
    /// Takes the writers' lock of the store, unless this process has it, and catches up with what others wrote.
    ///
    /// One thread at a time: the one that writes or receives transactions. Then applies what was held and is due, unless told not to.
    func enter(liftingHolds: Bool = true) throws(LogError) {
        guard let lock, let shared else {
            throw LogError(.readOnly, "the store was opened for reading only; open it for writing", path: layout.root)
        }
        while true {
            let (failure, mustFlush, isReady) = front.withLock { front -> (LogError?, Bool, Bool) in
                if front.failure != nil || front.isEntered { return (front.failure, false, true) }
                if front.mustYield { return (nil, true, false) }
                front.isEntered = front.isLocked
                return (nil, false, front.isLocked)
            }
            if let failure { throw failure }
            if isReady { return }
            guard mustFlush else { break }
            try flush()
        }
        try LogError.wrap { () throws(StorageError) in try lock.acquire() }
        do throws(LogError) {
            try catchUp(shared)
        } catch {
            try? lock.release()
            throw error
        }
        front.withLock { front in
            front.isLocked = true
            front.isEntered = true
        }
        guard liftingHolds else { return }
        do throws(LogError) {
            try liftDueHolds()
        } catch {
            try? leave()
            throw error
        }
    }

    /// Runs `body` with the writers' lock, which another thread does not give back meanwhile.
    ///
    /// A flush that ends just then finds nothing pending and nothing open: without this it would give back the lock that `body` has
    /// been promised. What `body` leaves open or pending keeps the lock afterwards.
    func entered<Result>(_ body: () throws(LogError) -> Result) throws(LogError) -> Result {
        do throws(LogError) {
            try enter()
        } catch {
            // The caller may have entered already.
            try? leave()
            throw error
        }
        let result: Result
        do throws(LogError) {
            result = try body()
        } catch {
            try? leave()
            throw error
        }
        try leave()
        return result
    }

    private func leave() throws(LogError) {
        front.withLock { $0.isEntered = false }
        try leaveIfIdle()
    }

    /// Reads what others wrote since this process last had the lock, and mends what one that died left.
    private func catchUp(_ shared: SharedState) throws(LogError) {
        let identity = try refreshIdentity(shared)
        var isRenewed: StoreIdentity? = identity
        let isVouchedFor = shared.isValid
        let state = try locked(tail) { (tail) throws(LogError) -> LogState in
            let report = try tail.recover(wasInterrupted: !isVouchedFor, shared)
            if report.tail == .torn || report.tail == .uncertain || report.wasUnclean { isRenewed = nil }
            if isVouchedFor { shared.publish(tail.position) }
            return tail.state
        }
        front.withLock { front in
            front.state = state
            if let isRenewed { front.identity = isRenewed }
            if front.hasNamedFormer == false { front.hasNamedFormer = nil }
            front.observeApplied()
        }
        durable.withLock { $0 = state }
        if isRenewed == nil { front.withLock { $0.mustRenew = true } }
        if front.withLock({ $0.mustRenew }) { try renewReplica() }
        // Not before: while no other id is taken, nobody may believe that all is well.
        if !isVouchedFor { tail.withLock { shared.reset(to: $0, replica: replica) } }
    }

    /// Gives the writers' lock back when nothing is left to do with it, or when everything is written and another process waits.
    func leaveIfIdle() throws(LogError) {
        guard let lock else { return }
        // Under the lock of `front`, so that another thread does not take what is about to be given back.
        try locked(front) { (front) throws(LogError) in
            guard front.isLocked, !front.isEntered, !front.isOpen, !front.isWriting, front.pending.isEmpty else { return }
            front.isLocked = false
            front.mustYield = false
            try LogError.wrap { () throws(StorageError) in try lock.release() }
        }
    }
}
