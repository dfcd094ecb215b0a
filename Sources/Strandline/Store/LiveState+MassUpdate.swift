import Projection
import Storage

// Updates of runs in place of records.
extension LiveState {
    /// Waits for runs that are being written, and takes them over; whether others are the base now.
    func settleRuns() -> Bool {
        let before = box.state.objects.base
        settle()
        return box.state.objects.base !== before
    }

    /// Joins a mass update of the transaction in progress, whose blocks are of the runs that are the base, while `log` tells
    /// the log of it.
    ///
    /// The new runs are seen by nobody else, and go with the transaction if it is rolled back. What cannot be written is
    /// joined in memory.
    ///
    /// - Returns: false, with nothing done, where runs are not written, or another process writes them.
    /// - Throws: what `log` throws, or reading a block; the transaction must be given up then.
    func join(_ update: MassUpdate, _ log: () throws -> Void) throws -> Bool {
        let directory = materialiser.directory
        guard writesRuns, let runs = box.state.objects.base as? RunSet, !materialiser.isRunning,
            (try? directory.tryLock()) == true
        else { return false }
        let errand = Errand { [schema = box.state.schema] in try directory.rewrite(runs, by: update, schema) }
        let logged = Result { try log() }
        let written = Result { try errand.result() }
        directory.unlock()
        do {
            try logged.get()
            switch written {
            case .success(let runs):
                if !hasSpilled { wasUnpublished = isUnpublished }
                hasSpilled = true
                box.state.rebase(on: runs)
                isUnpublished = true
                // To be published as soon as the transaction is durable.
                limit = -1
            case .failure(let error):
                unwritten = StorageError.of(error)
                try box.state.update(by: update)
            }
        } catch let error as StorageError {
            runs.note(error)
            throw error
        }
        return true
    }
}
