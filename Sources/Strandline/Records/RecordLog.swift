// Invariants
// * `state` is guarded by its mutex, which is never held while anything is written: who notes a record waits for no disk.
// * At most `options.waiting` records wait. What comes when there are more, or what the disk refused, is counted in `lost`, and told
//   with the next record that can be written.
// * `files` belongs to the thread that set `isWriting`, and to `close` once that is over.
// * Nothing is written before `release`: a directory that turns out to be no store stays as it is.

import EventLog
package import Storage
import Synchronization

/// Where a store says what it does, for whoever has to find out what happened: lines of JSON in `logs`.
///
/// ```swift
/// engine.records.note(.quarantined, .bytes(count), .file(path))
/// try engine.records.measure(.compaction) { span in span.fields.append(.bytes(try compact())) }
/// ```
package final class RecordLog: Sendable {
    private struct State {
        var waiting: [StoreRecord] = []
        var lost = 0
        /// Why the disk refused the last ones.
        var failure: StorageError?
        var isReleased = false
        var isWriting = false
        var isClosed = false
        var spans: UInt64 = 0
    }

    private let root: String
    private let environment: Environment
    private let options: RecordOptions
    private let opening: String
    private let state = Mutex(State())
    private let files: Mutex<RecordFiles>
    private let ended = WakeSignal()

    /// - Parameter layout: of the store whose records these are.
    package init(_ layout: StoreLayout, in environment: Environment, _ options: RecordOptions) {
        root = layout.root
        self.environment = environment
        self.options = options
        // Chance is drawn for those alone who need it, so that what is not recorded repeats from its seed.
        opening = options.isWritten ? Digest128.hex(environment.random.next()) : ""
        files = Mutex(RecordFiles(in: layout.logs, environment, options))
    }

    /// One that writes nothing.
    static func silent(_ layout: StoreLayout, in environment: Environment) -> RecordLog {
        var options = RecordOptions()
        options.isWritten = false
        return RecordLog(layout, in: environment, options)
    }

    /// Whether anything that is noted is kept.
    package var isWritten: Bool { options.isWritten }

    /// How many records could not be written so far, and were not told of.
    package var lost: Int { state.withLock { $0.lost } }

    /// Notes that something happened.
    ///
    /// - Parameter error: recorded by its code, file and offset.
    package func note(_ kind: RecordKind, _ fields: RecordField..., error: (any Error)? = nil, level: RecordImportance? = nil) {
        note(kind, fields, error: error, level: level)
    }

    package func note(_ kind: RecordKind, _ fields: [RecordField], error: (any Error)? = nil, level: RecordImportance? = nil) {
        add(level ?? kind.level, kind, nil, nil, fields + (error.map(RecordField.fields) ?? []))
    }

    /// Notes that something has begun; ``end(_:_:error:)`` is to be called.
    package func begin(_ kind: RecordKind, _ fields: RecordField...) -> RecordSpan {
        let number = state.withLock { state in
            state.spans += 1
            return state.spans
        }
        add(.debug, kind, .begin, number, fields)
        return RecordSpan(kind: kind, number: number, began: environment.clock.monotonic())
    }

    /// Notes that something has ended, and after how long.
    package func end(_ span: RecordSpan, _ fields: RecordField..., error: (any Error)? = nil) {
        let time = RecordField.nanoseconds(.milliseconds, environment.clock.monotonic() &- span.began)
        add(
            error == nil ? span.kind.level : .error, span.kind, error == nil ? .end : .failed, span.number,
            [time] + span.fields + fields + (error.map(RecordField.fields) ?? []))
    }

    /// Runs `body` between the records of its beginning and its end.
    package func measure<Result>(_ kind: RecordKind, _ body: (inout RecordSpan) throws -> Result) rethrows -> Result {
        var span = begin(kind)
        do {
            let result = try body(&span)
            end(span)
            return result
        } catch {
            end(span, error: error)
            throw error
        }
    }

    /// Lets what was noted, and what will be, be written.
    package func release() {
        state.withLock { $0.isReleased = true }
        startWriting()
    }

    /// Writes what waits, and takes no more.
    package func close() {
        state.withLock { $0.isClosed = true }
        while true {
            let ticket = ended.generation
            let (isWriting, isEmpty) = state.withLock { state -> (Bool, Bool) in
                let isWriting = state.isWriting
                let isEmpty = state.waiting.isEmpty || !state.isReleased
                if !isWriting, !isEmpty { state.isWriting = true }
                return (isWriting, isEmpty)
            }
            if isWriting {
                ended.wait(past: ticket)
            } else if isEmpty {
                break
            } else {
                write()
            }
        }
        files.withLock { $0.close() }
    }

    private func add(
        _ level: RecordImportance, _ kind: RecordKind, _ phase: StoreRecord.Phase?, _ span: UInt64?, _ fields: [RecordField]
    ) {
        guard options.isWritten, level >= options.level else { return }
        let record = StoreRecord(
            time: environment.clock.now(), level: level, kind: kind, phase: phase, span: span, fields: fields)
        state.withLock { state in
            guard !state.isClosed else { return }
            if state.waiting.count < options.waiting { state.waiting.append(record) } else { state.lost += 1 }
        }
        startWriting()
    }

    private func startWriting() {
        let mustStart = state.withLock { state -> Bool in
            guard state.isReleased, !state.isWriting, !state.isClosed, !state.waiting.isEmpty else { return false }
            state.isWriting = true
            return true
        }
        guard mustStart else { return }
        do throws(StorageError) {
            try WorkerThreads.run { [self] in write() }
        } catch {
            // No thread is to be had: the next record tries again.
            state.withLock { $0.isWriting = false }
            ended.advance()
        }
    }

    /// Writes until nothing waits.
    private func write() {
        while let (records, lost, failure) = take() {
            var lines: [UInt8] = []
            if lost > 0 {
                let fields = [RecordField.count(.records, lost)] + (failure.map { RecordField.fields(of: $0) } ?? [])
                let record = StoreRecord(
                    time: environment.clock.now(), level: .error, kind: .recordsLost, fields: fields)
                lines += record.line(opening: opening, root: root)
            }
            for record in records { lines += record.line(opening: opening, root: root) }
            do throws(StorageError) {
                try files.withLock { (files) throws(StorageError) in try files.append(lines) }
            } catch {
                let failure = error
                state.withLock { state in
                    state.lost += records.count + lost
                    state.failure = failure
                }
            }
        }
        ended.advance()
    }

    private func take() -> (records: [StoreRecord], lost: Int, failure: StorageError?)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer {
                state.waiting = []
                state.lost = 0
                state.failure = nil
            }
            return (state.waiting, state.lost, state.failure)
        }
    }
}
