import Storage
import Synchronization

extension EventLog {
    /// Where received transactions belong.
    struct Place {
        var root: BranchRoot
        /// How many of them, from the first, are here already.
        var known = 0
        /// The position and timestamp of the last one known.
        var position: BranchPosition
        var timestamp: Timestamp
        /// To be noted first: the origin forks here.
        var fork: ControlRecord?
    }

    func locate(_ batch: Batch) throws(LogError) -> Place {
        var chains: [Digest128] = []
        var chain = batch.previousChain
        for part in batch.transactions {
            chain = Chain.step(chain, part)
            chains.append(chain)
        }
        return try locate(batch.origin, first: batch.firstSequence, previousChain: batch.previousChain, chains: chains)
    }

    /// Finds the branch that transactions of `origin` follow, from their chains.
    func locate(
        _ origin: ReplicaID, first: UInt64, previousChain: Digest128, chains: [Digest128]
    ) throws(LogError) -> Place {
        var table = front.withLock { $0.state.branches }
        let before = BranchPosition(sequence: first - 1, chain: previousChain)
        if let tip = table.tip(of: origin, at: before) {
            return Place(root: table.branches[tip].root, position: before, timestamp: table.branches[tip].lastTimestamp)
        }
        let branches = table.branches(of: origin)
        guard !branches.isEmpty else {
            guard before == BranchPosition(sequence: 0, chain: Chain.start(dataset: dataset, origin: origin)) else {
                throw gap(origin, first: first, have: 0)
            }
            return Place(root: BranchRoot(origin: origin), position: before, timestamp: .zero)
        }
        if front.withLock({ !$0.pending.isEmpty }) {
            // Chains of what is pending are not in a file yet; make it so, then compare.
            try flush()
            try enter()
            table = front.withLock { $0.state.branches }
        }
        return try compare(origin, before: before, chains: chains, table: table)
    }

    /// Follows the known branches alongside the received chains to where they part.
    private func compare(
        _ origin: ReplicaID, before: BranchPosition, chains: [Digest128], table: BranchTable
    ) throws(LogError) -> Place {
        var best: (branch: Int, shared: Int)?
        var reached: UInt64 = 0
        let floor = try floor.map { FloorCoverage($0, in: table) }
        for number in table.branches(of: origin) where !table.branches[number].isForked {
            let last = table.branches[number].last.sequence
            reached = max(reached, last)
            guard last >= before.sequence else { continue }
            var shared = 0
            if let floor, let known = floor.first(of: chains, behind: before.sequence, towards: number) {
                guard known.isHere else { continue }
                shared = known.count
            } else {
                guard try chain(of: number, at: before.sequence, in: table) == before else { continue }
            }
            while shared < chains.count, before.sequence + UInt64(shared) < last {
                let sequence = before.sequence + UInt64(shared) + 1
                guard try chain(of: number, at: sequence, in: table).chain == chains[shared] else { break }
                shared += 1
            }
            if best.map({ shared > $0.shared }) ?? true { best = (number, shared) }
        }
        guard let (branch, shared) = best else { throw gap(origin, first: before.sequence + 1, have: reached) }
        let position =
            shared == 0 ? before : BranchPosition(sequence: before.sequence + UInt64(shared), chain: chains[shared - 1])
        return try place(branch, shared: shared, position: position, chains: chains, table: table)
    }

    private func place(
        _ branch: Int, shared: Int, position: BranchPosition, chains: [Digest128], table: BranchTable
    ) throws(LogError) -> Place {
        let tip = table.branches[branch]
        if shared == chains.count || position == tip.last {
            return Place(root: tip.root, known: shared, position: position, timestamp: tip.lastTimestamp)
        }
        // The origin goes on differently here: its id was used twice.
        let holder = table.holder(of: position.sequence, towards: branch)
        let timestamp = try timestamp(at: position.sequence, of: holder, in: table)
        let isTip = position == table.branches[holder].last
        let continuation =
            isTip && table.branches[holder].isForked
            ? Digest128.zero : try chain(of: branch, at: position.sequence + 1, in: table).chain
        let fork = ControlRecord.fork(
            table.branches[holder].root, behind: position, timestamp: timestamp, continuation: continuation,
            first: chains[shared])
        let root = BranchRoot(
            origin: tip.root.origin, firstSequence: position.sequence + 1, chain: chains[shared])
        return Place(root: root, known: shared, position: position, timestamp: timestamp, fork: fork)
    }

    private func timestamp(at sequence: UInt64, of number: Int, in table: BranchTable) throws(LogError) -> Timestamp {
        let branch = table.branches[number]
        if sequence == branch.last.sequence { return branch.lastTimestamp }
        guard sequence > 0, let found = try transaction(sequence, of: number, in: table) else { return .zero }
        return found.timestamp
    }

    private func gap(_ origin: ReplicaID, first: UInt64, have: UInt64) -> LogError {
        LogError(
            .gap,
            have + 1 < first
                ? "transactions of \(origin) from \(first) on came, and \(have + 1) is the next that is wanted"
                : "transactions of \(origin) from \(first) on belong to a branch whose beginning is not here")
    }
}
