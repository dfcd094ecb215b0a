import Storage

// What frames say, and whether it follows from what was before.
extension StoreVerifier {
    /// Checks a frame whose checksums are right.
    func check(_ located: GroupScanner.Located, in path: String) throws {
        let header = located.frame.header
        report.frames += 1
        guard header.flags.isSubset(of: [.firstOfGroup, .lastOfGroup]), let kind = header.kind else {
            note(
                path, located.offset, "a frame of type \(header.type) that this version does not know",
                "use a newer version to check it")
            if !header.isSkippable { forget() }
            return
        }
        do throws(StorageError) {
            let body = try located.frame.body()
            let transactions = try check(kind, body, at: located.offset, in: path)
            if transactions != Int(header.transactions) {
                throw .malformed("a frame with \(transactions) transactions that says \(header.transactions)")
            }
        } catch {
            problem(error, in: path, at: located.offset)
            forget()
        }
        // After the frame: an index does not count itself.
        state?.apply([], of: header, at: located.offset)
        defer { stagesDue = [] }
        for commit in stagesDue { try checkStage(commit) }
    }

    private func check(
        _ kind: FrameHeader.Kind, _ body: [UInt8], at offset: UInt64, in path: String
    ) throws(StorageError) -> Int {
        if open != nil, kind != .part { throw .malformed("a transaction whose further parts are missing") }
        switch kind {
        case .batch: return try check(Batch(body), at: offset, in: path)
        case .part: return try check(PartBody(body), at: offset, in: path)
        case .stageCommit: return try check(StageCommit(body), at: offset, in: path)
        case .control:
            for record in try ControlRecord.decode(body) { try check(record) }
        case .index: try check(SegmentIndex(body), at: offset)
        case .baseline:
            var reader = try BaselineReader(body)
            while try reader.next() != nil {}
        }
        return 0
    }

    private func check(_ batch: Batch, at offset: UInt64, in path: String) throws(StorageError) -> Int {
        var chain = batch.previousChain
        var stamps: [Timestamp] = []
        for (number, part) in batch.transactions.enumerated() {
            chain = Chain.step(chain, part)
            stamps.append(try PartPreamble(part).timestamp)
            let sequence = batch.firstSequence + UInt64(number)
            checkContent(of: part, number: 0, origin: batch.origin, sequence: sequence, at: offset, in: path)
        }
        report.transactions += stamps.count
        guard chain == batch.chain else { throw .malformed("a batch whose chain does not match its transactions") }
        try follow(batch.origin, from: batch.firstSequence, batch.previousChain, to: batch.chain, stamps)
        return stamps.count
    }

    private func check(_ body: PartBody, at offset: UInt64, in path: String) throws(StorageError) -> Int {
        if body.number == 0, open == nil { open = try OpenParts(body) }
        guard var parts = open, parts.isFollowed(by: body) else {
            throw .malformed("part \(body.number) of a transaction where it does not belong")
        }
        open = nil
        checkContent(
            of: body.part, number: body.number, origin: body.origin, sequence: body.sequence, at: offset, in: path)
        parts.digests.append(body.part.digest)
        guard body.isLast else {
            open = parts
            return 0
        }
        report.transactions += 1
        guard parts.chain == body.chain else { throw .malformed("a transaction whose chain does not match its parts") }
        if parts.isVoid, parts.digests.count > 1 { throw .malformed("a void transaction of several parts") }
        try follow(body.origin, from: body.sequence, body.previousChain, to: body.chain, [parts.timestamp])
        return 1
    }

    private func check(_ commit: StageCommit, at offset: UInt64, in path: String) throws(StorageError) -> Int {
        guard commit.parts > 1 else { throw .malformed("a stage commit of a transaction of one part") }
        report.transactions += 1
        stagesDue.append(commit)
        try follow(commit.origin, from: commit.sequence, commit.previousChain, to: commit.chain, [commit.timestamp])
        return 1
    }

    /// Takes transactions of one origin in a row into the state.
    private func follow(
        _ origin: ReplicaID, from first: UInt64, _ previous: Digest128, to chain: Digest128, _ stamps: [Timestamp]
    ) throws(StorageError) {
        guard let last = stamps.last else { return }
        let place = try state.map { (state) throws(StorageError) -> (root: BranchRoot, timestamp: Timestamp) in
            let root = try FrameEvents.root(origin, before: first, previous, in: state.branches, dataset: state.dataset)
            return (root, state.branches.number(of: root).map { state.branches.branches[$0].lastTimestamp } ?? .zero)
        }
        var before = place?.timestamp
        for stamp in stamps {
            if let before, stamp <= before {
                throw .malformed("a transaction of \(origin) whose timestamp is not above that of the one before")
            }
            before = stamp
        }
        guard let place else { return }
        let target = BranchPosition(sequence: first + UInt64(stamps.count) - 1, chain: chain)
        state?.apply(.extend(place.root, to: target, timestamp: last, transactions: UInt32(stamps.count)))
    }

    private func check(_ record: ControlRecord) throws(StorageError) {
        guard let state else { return }
        func last(_ root: BranchRoot) throws(StorageError) -> UInt64 {
            guard let number = state.branches.number(of: root) else {
                throw .malformed("a note about a branch of \(root.origin) that is not in the log")
            }
            return state.branches.branches[number].last.sequence
        }
        switch record {
        case .release(let root, let hold):
            if try hold.after.sequence > last(root) { throw .malformed("a release of transactions that were never received") }
        case .fork(let root, let behind, _, _, _):
            if try behind.sequence > last(root) { throw .malformed("a fork behind transactions that were never received") }
        case .hold, .clock, .baseline: break
        }
        self.state?.apply(.control(record))
    }

    /// Compares an index with the state, or takes the state from it when it is not known.
    private func check(_ index: SegmentIndex, at offset: UInt64) throws(StorageError) {
        var previous: UInt64?
        for seek in index.seeks {
            let isPlaced = groups[seek.offset].map { $0.nextLSN == seek.lsn } ?? groups.isBroken
            guard isPlaced, seek.offset < offset, previous.map({ $0 < seek.offset }) ?? true else {
                throw .malformed("an index that points at offset \(seek.offset), where transaction \(seek.lsn) does not begin")
            }
            previous = seek.offset
        }
        if let state {
            guard state.branches == index.branches, state.clock == index.clock, state.joined == index.joined else {
                throw .malformed("an index that is not what the log before it says")
            }
        } else if let dataset, let position = groups[offset] {
            state = LogState(dataset: dataset, position: position, branches: index.branches, clock: index.clock)
            state?.joined = index.joined
            // What was trimmed is known by this index alone.
            if frontIndex == nil { frontIndex = index }
        }
    }
}
