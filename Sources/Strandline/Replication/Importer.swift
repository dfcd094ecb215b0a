// Invariants
// * The inboxes, and what is written to the log for peers, belong to the one thread that runs while there is work.
// * Frames of a connection are taken in the order they came; each `submit` is answered once, unless its connection was removed.

import EventLog
import Storage
import SyncProtocol
import Synchronization

/// Writes what comes from all peers of a store into its log: what arrives while a group is made durable forms the next one.
final class Importer: Sendable {
    /// Who gets the answers.
    typealias Answer = @Sendable (_ connection: Int, Result<[SessionInput], any Error>) -> Void

    fileprivate struct Job {
        let connection: Int
        let work: [PeerLink.Waiting]
    }

    /// What a peer has, and is to be kept for it.
    private struct Acknowledgement {
        let peer: ReplicaID
        let name: String
        let tips: [Tip]
    }

    private struct State {
        var jobs: [Job] = []
        var removed: [Int] = []
        /// Those that are to be closed once their jobs are done.
        var closing: [Int] = []
        var acknowledgements: [Acknowledgement] = []
        var isRunning = false

        var isIdle: Bool { jobs.isEmpty && removed.isEmpty && closing.isEmpty && acknowledgements.isEmpty }
    }

    /// What is done at once.
    private struct Round {
        let jobs: [Job]
        let removed: [Int]
        let closing: [Int]
        let acknowledgements: [Acknowledgement]
    }

    /// Bytes that go into a group at most, about.
    private static let groupLimit = 8 << 20

    private let engine: Engine
    private let answer: Answer
    private let state = Mutex(State())
    /// Advances when the thread ends for want of work.
    private let rested = WakeSignal()
    /// For the running thread alone.
    private let peers = Mutex<[Int: (inbox: Inbox, blobs: any BlobExchange)]>([:])

    init(_ engine: Engine, answer: @escaping Answer) {
        self.engine = engine
        self.answer = answer
    }

    /// A connection whose work will be submitted.
    func add(_ connection: Int, blobs: any BlobExchange, _ policy: BlobPolicy) {
        let inbox = Inbox(engine.log, engine.blobs, policy: policy)
        peers.withLock { $0[connection] = (inbox, blobs) }
    }

    /// Gives up what has not come whole from a connection.
    func remove(_ connection: Int) {
        start { $0.removed.append(connection) }
    }

    /// Has work done on a thread of its own.
    func submit(_ work: [PeerLink.Waiting], of connection: Int) {
        start { $0.jobs.append(Job(connection: connection, work: work)) }
    }

    /// Has a connection closed, by an answer, behind those to all that was submitted of it: so the peer hears of what is here by then.
    func close(_ connection: Int) { start { $0.closing.append(connection) } }

    /// Notes durably what a peer has, so that trimming knows what it still needs.
    func acknowledge(_ peer: ReplicaID, name: String, _ tips: [Tip]) {
        start { $0.acknowledgements.append(Acknowledgement(peer: peer, name: name, tips: tips)) }
    }

    /// Waits until all that was submitted is done.
    func drain() {
        while true {
            let ticket = rested.generation
            if state.withLock({ !$0.isRunning }) { return }
            rested.wait(past: ticket)
        }
    }

    private func start(_ change: (inout State) -> Void) {
        let mustStart = state.withLock { state -> Bool in
            change(&state)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard mustStart else { return }
        do throws(StorageError) {
            try WorkerThreads.run { [self] in run() }
        } catch {
            let left = state.withLock { state -> State in
                defer { state = State() }
                return state
            }
            for job in left.jobs { answer(job.connection, .failure(StoreError.translated(error))) }
            for connection in left.closing { answer(connection, .success([.close])) }
        }
    }

    private func run() {
        while true {
            let next = state.withLock { state -> Round? in
                guard !state.isIdle else {
                    state.isRunning = false
                    return nil
                }
                var size = 0
                let count = state.jobs.firstIndex { job in
                    defer { size += job.size }
                    return size > Self.groupLimit
                }
                let jobs = Array(state.jobs.prefix(count ?? state.jobs.count))
                state.jobs.removeFirst(jobs.count)
                defer {
                    state.removed = []
                    state.acknowledgements = []
                }
                let closing = state.closing.filter { connection in !state.jobs.contains { $0.connection == connection } }
                state.closing.removeAll { closing.contains($0) }
                return Round(jobs: jobs, removed: state.removed, closing: closing, acknowledgements: state.acknowledgements)
            }
            guard let next else { return rested.advance() }
            if !next.jobs.isEmpty { store(next.jobs) }
            for connection in next.closing { answer(connection, .success([.close])) }
            for each in next.acknowledgements {
                let vector = engine.log.durableState.branches.vector(of: each.tips)
                // At worst the peer is thought to have less than it has.
                try? engine.log.acknowledge(peer: each.peer, name: each.name, vector)
            }
            if !next.acknowledgements.isEmpty { engine.replicator.transfers.settleNews() }
            // More may be lacking than could be remembered.
            try? engine.replicator.wantOverflown(of: engine)
            for connection in next.removed {
                guard var peer = peers.withLock({ $0.removeValue(forKey: connection) }) else { continue }
                peer.inbox.discard()
                peer.blobs.end()
            }
        }
    }

    private func store(_ jobs: [Job]) {
        var answers: [Int: [SessionInput]] = [:]
        var failures: [Int: any Error] = [:]
        for job in jobs {
            storeBlobs(job, &answers, &failures)
            do {
                answers[job.connection, default: []] += try takeBaselines(job)
            } catch {
                failures[job.connection] = error
            }
        }
        var isAnyFrame = false
        do {
            try engine.exclusively {
                for job in jobs where failures[job.connection] == nil {
                    do {
                        if try take(job) { isAnyFrame = true }
                        if let joined = try joinBaseline(job) { answers[job.connection, default: []].append(joined) }
                    } catch {
                        failures[job.connection] = error
                    }
                }
                if isAnyFrame { try engine.log.flush() }
            }
        } catch {
            for job in jobs { failures[job.connection] = error }
        }
        for job in jobs where failures[job.connection] == nil { settle(job.connection, &answers) }
        for connection in Set(jobs.map(\.connection)).sorted() {
            answer(connection, failures[connection].map { .failure($0) } ?? .success(answers[connection] ?? []))
        }
    }

    /// Lets the inbox of a connection work.
    private func withInbox<Result>(_ connection: Int, _ body: (inout Inbox) throws -> Result) rethrows -> Result? {
        guard var inbox = peers.withLock({ $0[connection]?.inbox }) else { return nil }
        defer {
            let kept = inbox
            peers.withLock { $0[connection]?.inbox = kept }
        }
        return try body(&inbox)
    }

    /// Whether there were frames.
    private func take(_ job: Job) throws -> Bool {
        try withInbox(job.connection) { inbox in
            var isAny = false
            for case .frame(let frame, let isPart, let bulk) in job.work {
                try inbox.take(frame, isPart: isPart, bulk: bulk)
                isAny = true
            }
            return isAny
        } ?? false
    }

    /// What the session is to be told of the baselines that came.
    private func takeBaselines(_ job: Job) throws -> [SessionInput] {
        try withInbox(job.connection) { inbox in
            try job.work.compactMap { work in
                switch work {
                case .offer(let offer): try inbox.prepare(offer)
                case .baseline(let piece, let bulk): try inbox.take(piece, bulk: bulk)
                case .frame, .blob, .keep: nil
                }
            }
        } ?? []
    }

    private func joinBaseline(_ job: Job) throws -> SessionInput? {
        try withInbox(job.connection) { inbox in inbox.isBaselineWhole ? try inbox.joinBaseline() : nil } ?? nil
    }

    private func settle(_ connection: Int, _ answers: inout [Int: [SessionInput]]) {
        guard var peer = peers.withLock({ $0[connection] }) else { return }
        let (stored, lacking) = peer.inbox.settle()
        peer.blobs.want(lacking)
        let inbox = peer.inbox
        peers.withLock { $0[connection]?.inbox = inbox }
        if stored.frames > 0 { answers[connection, default: []].append(.stored(stored)) }
    }

    private func storeBlobs(_ job: Job, _ answers: inout [Int: [SessionInput]], _ failures: inout [Int: any Error]) {
        guard let blobs = peers.withLock({ $0[job.connection]?.blobs }) else { return }
        do {
            for case .blob(let message, let bulk) in job.work {
                answers[job.connection, default: []].append(.blobStored(bulk: bulk, complete: try blobs.store(message)))
            }
            for case .keep(let number, let wanted) in job.work {
                answers[job.connection, default: []].append(.blobsKept(number: number, try blobs.keep(wanted)))
            }
        } catch {
            failures[job.connection] = error
        }
    }
}

extension Importer.Job {
    fileprivate var size: Int {
        work.reduce(0) { sum, item in
            switch item {
            case .frame(_, _, let bulk), .blob(_, let bulk), .baseline(_, let bulk): sum + bulk
            case .offer, .keep: sum
            }
        }
    }
}
