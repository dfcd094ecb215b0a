import EventLog
import Projection
import Storage

// Between memory and runs.
extension LiveState {
    /// Writes what is in memory to runs, once it is much.
    ///
    /// Not while a transaction is in progress. Nothing depends on it: what cannot be written now is written later.
    func materialise() {
        guard writesRuns, isBegun, !box.state.isInTransaction, !materialiser.isRunning else { return }
        takeOver()
        guard isBegun, box.state.objects.memoryBytes > limit else { return }
        do throws(LogError) {
            if log.hasPending { try log.flush() }
            let durable = log.durableState
            guard epoch == log.epoch, !isBehind(durable.branches) else { return }
            if names != nil {
                try advanceForked()
                guard !materialiser.isRunning else { return }
            }
            cut(readable(log.token(at: durable)))
        } catch {
            // Whoever waits for what is pending hears of it.
            limit = box.state.objects.memoryBytes + sizes.memory
        }
    }

    /// Lets a writer wait who is faster than the disk.
    func holdBack() {
        guard materialiser.isRunning, box.state.objects.topBytes > 2 * sizes.memory else { return }
        settle()
    }

    /// Puts what the transaction in progress has in memory into runs, once it is much: nobody else sees them before it is durable.
    func spill() {
        let bytes = box.state.objects.topBytes
        guard writesRuns, bytes > sizes.memory, !materialiser.isRunning || bytes > 2 * sizes.memory else { return }
        settle()
        if !hasSpilled { wasUnpublished = isUnpublished }
        box.state.freeze()
        hasSpilled = true
        materialiser.start(Materialiser.Cut(state: box.state.view(), purpose: .spill))
    }

    /// Writes the rest, so that the next opening has little to read.
    func finish() {
        settle()
        if isUnpublished || isHealing || box.state.objects.memoryBytes > sizes.rest { limit = -1 }
        materialise()
        settle()
        forgetGiven()
    }

    /// Folds the whole log anew, and writes it to runs.
    func rebuild() throws(LogError) {
        settle()
        distrusted = max(distrusted, generation)
        // What is pending can be read once it is in the log.
        if log.hasPending { try log.flush() }
        try reset()
        limit = -1
        finish()
    }

    /// Makes one run of all.
    func compact() throws {
        do { try compactOnce() } catch {
            // Damage that was met only now is made good, once.
            guard box.state.objects.base?.failure != nil else { throw error }
            try compactOnce()
        }
    }

    private func compactOnce() throws {
        settle()
        if log.hasPending { try log.flush() }
        var position = try follow()
        if names != nil { position = try advanceForked() }
        settle()
        // Of what the state has: the log may have grown while the runs were written.
        cut(readable(log.token(at: position)), mergesAll: true)
        awaitRuns()
        let outcome = materialiser.take()
        takeOver(outcome)
        switch outcome {
        case .published, .spilled, nil: break
        case .busy, .outdated:
            throw StoreError(.busy, "another process is writing the runs of this store; try again when it has ended")
        case .failed(let error): throw error
        }
    }

    /// Writes what was read so far of a log that is much longer, once it is much.
    ///
    /// - Throws: `storage` when there is too much of it, and it cannot be written.
    func relieve() throws(LogError) {
        if box.state.objects.memoryBytes > sizes.most {
            settle()
            guard box.state.objects.memoryBytes <= sizes.most || (writesRuns && unwritten == nil) else {
                throw LogError(
                    .storage,
                    "what the log says takes more than \(sizes.most >> 20) MiB of memory, and it cannot be written to the runs of the store\(whyUnwritten); make that directory writable, or copy the store to where it is",
                    path: materialiser.directory.path)
            }
        }
        guard writesRuns, box.state.objects.topBytes > limit else { return }
        settle()
        cut(box.state.token(in: log.dataset, hint: followed?.hint))
    }

    private var whyUnwritten: String { unwritten.map { ": \($0.description)" } ?? "" }

    private func cut(_ token: HistoryToken, mergesAll: Bool = false) {
        box.state.pruneIrregular()
        box.state.freeze()
        let purpose = Materialiser.Purpose.publish(token, names: names, generation: generation, mergesAll: mergesAll)
        materialiser.start(Materialiser.Cut(state: box.state.view(), purpose: purpose))
    }

    /// Waits for what is being written, and takes it over.
    func settle() {
        awaitRuns()
        takeOver()
    }

    /// Waits for what is being written; readers do not, where the state is whole and has what they ask for.
    private func awaitRuns() {
        guard materialiser.isRunning else { return }
        let durable = log.durableState
        guard reached != nil, epoch == log.epoch, !box.state.isInTransaction, !isBehind(durable.branches) else {
            return materialiser.wait()
        }
        lock.setCommitted(box.state.view(), at: durable.position)
        materialiser.wait()
        lock.setCommitted(nil)
    }

    /// Puts what was written in the place of what it was written from.
    func takeOver() { takeOver(materialiser.take()) }

    private func takeOver(_ outcome: Materialiser.Outcome?) {
        // It would keep runs that are needed no more.
        if outcome != nil { forgetGiven() }
        switch outcome {
        case .published(let runs, let cut, let generation):
            guard box.state.objects.base === cut.state.objects.base else { return }
            box.state.replaceBase(runs, withFrozen: cut.state.objects.frozenCount)
            self.generation = generation
            limit = usualLimit
            isUnpublished = false
            // While the log is being read, it is not all.
            if reached != nil { isHealing = false }
            unwritten = nil
            onPublished(runs)
        case .spilled(let runs, let cut):
            guard box.state.objects.base === cut.state.objects.base else { return }
            box.state.replaceBase(runs, withFrozen: cut.state.objects.frozenCount)
            isUnpublished = true
            // To be published as soon as the transaction is durable.
            limit = -1
        case .outdated:
            // What another process has written is ready to be used.
            isBegun = false
        case .busy:
            limit = box.state.objects.memoryBytes + sizes.memory
            unwritten = StorageError(.locked, "write runs", path: materialiser.directory.path)
        case .failed(let error):
            limit = box.state.objects.memoryBytes + sizes.memory
            unwritten = error
            // What is read to be merged may be damaged as well.
            if error.code == .malformed { (box.state.objects.base as? RunSet)?.note(error) }
        case nil: break
        }
    }
}
