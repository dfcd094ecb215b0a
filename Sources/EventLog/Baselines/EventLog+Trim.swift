import Storage
import Synchronization

extension EventLog {
    /// Begins the file of a baseline for this log.
    package func makeBaseline() throws(LogError) -> BaselineFileWriter {
        guard mode == .readWrite else {
            throw LogError(.readOnly, "the store was opened for reading only; open it for writing", path: layout.root)
        }
        return try BaselineFileWriter(self)
    }

    /// Lets the log begin at a place, with a baseline that stands for everything before it; durable on return.
    ///
    /// The steps: the baseline's file gets its bytes, then its name; the manifest begins with it; then what was before goes. Until the
    /// manifest is replaced nothing has changed, and from then on everything has; what is left in between is removed when the store
    /// is opened next.
    ///
    /// - Returns: nil when another process has trimmed the log meanwhile, or received what gives something before the place another name.
    /// - Throws: `storage`; the log is as it was then, or begins at the place, and goes on either way.
    package func trim(to point: TrimPoint, _ writer: BaselineFileWriter) throws(LogError) -> TrimResult? {
        var writer = writer
        do throws(LogError) {
            try writer.seal()
            let sealed = writer
            return try entered { () throws(LogError) in
                let before = try catalog.front()
                guard before.firstOrdinal < point.ordinal, keepsNames(of: point) else {
                    sealed.discard()
                    return nil
                }
                let old = try usedBytes()
                try sealed.place()
                try locked(tail) { (tail) throws(LogError) in
                    var changed = tail.manifest
                    changed.trim(before: point.ordinal, baseline: sealed.identity)
                    do throws(LogError) {
                        try tail.writeManifest(changed)
                    } catch {
                        // Which of the two is there shows when it is read.
                        if let found = try? LogTail.readManifest(layout, environment.fileSystem, log: logID) {
                            tail.manifest = found
                        }
                        throw error
                    }
                }
                // What stays is not looked at, and removed by the next who opens the store.
                try? LogLeftovers(layout, environment.fileSystem).remove(before: point.ordinal, keeping: baselineNames())
                let now = (try? usedBytes()) ?? old
                return TrimResult(
                    baseline: sealed.identity, transactions: point.lsn - (before.firstLSN - 1),
                    bytesFreed: Int64(old) - Int64(now))
            }
        } catch {
            writer.discard()
            throw error
        }
    }

    /// Whether everything that a place covers still has the name that it had when the place was chosen.
    ///
    /// Another process may have received a fork that parts below it. The caller holds the writers' lock, so that none comes any more.
    private func keepsNames(of point: TrimPoint) -> Bool {
        let (now, then) = (front.withLock { $0.state.branches.branches }, point.state.branches.branches)
        return now.count >= then.count
            && zip(now, then).allSatisfy {
                $0.root == $1.root && $0.name == $1.name && $0.last.sequence >= $1.last.sequence
            }
    }

    /// The baselines that the log refers to.
    private func baselineNames() throws(LogError) -> Set<Digest128> {
        Set(try floor(at: writerState)?.baselines ?? [])
    }

    /// Bytes of the log and of the files of its large transactions.
    package func usedBytes() throws(LogError) -> UInt64 {
        try LogError.wrap { () throws(StorageError) in
            var bytes: UInt64 = 0
            for directory in [layout.log, layout.staged] where try environment.fileSystem.attributes(of: directory) != nil {
                for name in try environment.fileSystem.list(directory) {
                    bytes += try environment.fileSystem.attributes(of: Path.join(directory, name))?.size ?? 0
                }
            }
            return bytes
        }
    }
}
