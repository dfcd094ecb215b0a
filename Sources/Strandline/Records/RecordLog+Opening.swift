import EventLog
import Storage

extension RecordLog {
    /// Notes an opening, and what it found; only where it turns out that there is a store is anything written.
    func opening(
        _ layout: StoreLayout, in environment: Environment, _ options: Store.Options, _ body: () throws -> Engine
    ) throws -> Engine {
        do {
            let engine = try measure(.opening) { span in
                span.fields.append(.flag(.readOnly, options.isReadOnly))
                let engine = try body()
                span.fields += Self.fields(of: engine.log)
                note(engine.log.recovery, of: engine.log)
                return engine
            }
            release()
            return engine
        } catch {
            if let identity = try? environment.fileSystem.attributes(of: layout.identity), !identity.isDirectory { release() }
            close()
            throw error
        }
    }

    private static func fields(of log: EventLog) -> [RecordField] {
        let state = log.durableState
        return [
            .dataset(log.dataset), .replica(log.replica), .transactions(state.position.lastLSN),
            .count(.origins, Set(state.branches.branches.map(\.name)).count),
        ]
    }

    private func note(_ found: RecoveryReport, of log: EventLog) {
        if found.wasUnclean { note(.recovered, .word(.tail, found.tail)) }
        if let file = found.quarantined { note(.quarantined, .file(file), .word(.tail, found.tail)) }
        if let reason = RecordField.reason(of: found) { note(.newReplica, .replica(log.replica), reason) }
    }
}
