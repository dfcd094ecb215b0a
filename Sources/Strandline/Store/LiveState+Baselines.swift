import EventLog
import Projection
import Storage

// Below the floor of the log.
extension LiveState {
    /// Lets the manifest of the runs tell where the log is now: one that tells of a place below the floor is of no use.
    func publishPosition() {
        settle()
        limit = -1
        materialise()
        settle()
    }

    /// Begins with what stands for the history below the floor of the log.
    ///
    /// The state is empty. Runs that are written on the way are in no manifest before the baseline is there whole.
    func beginAtFloor(_ durable: LogState) throws(LogError) {
        guard let found = try log.baselines(at: durable) else { return }
        settle()
        var state = box.state
        do {
            for file in found.files { try state.join(file) { relieveBaseline(&$0) } }
        } catch let error as LogError {
            throw error
        } catch {
            throw LogError(StorageError.of(error))
        }
        if let failure = state.objects.base?.failure { throw LogError(failure) }
        box.state = state
        guard state.objects.base != nil else { return }
        isUnpublished = true
        // To be published as soon as the log is read.
        limit = -1
    }

    /// Puts what is in memory of a state that nobody else has into runs, once it is much; where they cannot be written, it stays.
    private func relieveBaseline(_ state: inout FoldState) {
        let directory = materialiser.directory
        guard sizes.isWritten, state.objects.topBytes > sizes.memory, (try? directory.tryLock()) == true else { return }
        defer { directory.unlock() }
        state.pruneIrregular()
        state.freeze()
        guard let runs = try? directory.merge(try directory.flush(state.view()), state.schema) else { return }
        state.replaceBase(runs, withFrozen: state.objects.frozenCount)
    }
}
