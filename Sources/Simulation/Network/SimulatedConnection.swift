// Invariants
// * A byte is delivered once, in order, or, when the wire is cut, never.
// * For one thread; the same replicas, seed and cut give the same run.

package import EventLog
import Storage
package import SyncProtocol

/// Two replicas that talk over a wire made of memory, in pieces that a seed chooses.
///
/// ```swift
/// var connection = SimulatedConnection(a, b, seed: 1)
/// try connection.run()                     // until both are done, or wait for something to happen
/// ```
package struct SimulatedConnection {
    /// One end.
    package struct End {
        package let log: EventLog
        package private(set) var link: PeerLink
        private let blobs: any BlobExchange
        private var inbox: Inbox
        /// Bytes on their way to the other end.
        fileprivate var wire: [UInt8] = []

        package init(
            _ log: EventLog, _ store: BlobStore, _ blobs: any BlobExchange, _ configuration: SessionConfiguration, now: UInt64
        ) {
            self.log = log
            self.blobs = blobs
            link = PeerLink(configuration, log: log, blobs: blobs, now: now)
            inbox = Inbox(log, store, policy: configuration.blobs)
        }

        fileprivate mutating func handle(_ input: SessionInput, now: UInt64) throws {
            link.handle(input, now: now)
            wire += link.takeOutput()
        }

        /// Makes what waits durable, and says so; whether there was anything.
        fileprivate mutating func store(now: UInt64) throws -> Bool {
            let waiting = link.takeWaiting()
            guard !waiting.isEmpty else { return false }
            do {
                for answer in try inbox.store(waiting, blobs, in: { try $0() }) { link.handle(answer, now: now) }
            } catch {
                link.fail(error, as: Refusal(storing: error), now: now)
            }
            wire += link.takeOutput()
            return true
        }

        /// The end of the connection.
        fileprivate mutating func end(now: UInt64) throws {
            try handle(.ended, now: now)
            inbox.discard()
            blobs.end()
        }
    }

    package private(set) var ends: [End]
    /// Bytes that were delivered so far, in both directions.
    package private(set) var delivered = 0
    private let random: SeededRandom
    private let largestPiece: Int
    package var now: UInt64

    /// - Parameter largestPiece: bytes that arrive at once at most.
    package init(_ a: End, _ b: End, seed: UInt64, largestPiece: Int = 1 << 20, now: UInt64 = 0) {
        ends = [a, b]
        random = SeededRandom(seed: seed)
        self.largestPiece = largestPiece
        self.now = now
    }

    /// Whether both ends are done with the session.
    package var isOver: Bool { ends.allSatisfy { $0.link.session.end != nil } }

    /// Runs until both ends are done, neither has anything to say, or as many bytes were delivered.
    package mutating func run(until limit: Int = .max) throws {
        var isQuiet = false
        while !isQuiet, !isOver, delivered < limit {
            isQuiet = true
            for index in [Int(random.next() % 2), Int(random.next() % 2), 0, 1] {
                if try deliver(from: index, limit: limit) { isQuiet = false }
            }
        }
        if isOver { for index in ends.indices { try ends[index].end(now: now) } }
    }

    /// Tells both ends that time has passed, and what their logs have.
    package mutating func tick(_ milliseconds: UInt64 = 0) throws {
        now += milliseconds
        for index in ends.indices {
            try ends[index].handle(.tips(ends[index].log.durableState.branches.tips), now: now)
            try ends[index].handle(.tick, now: now)
        }
    }

    /// Cuts the wire: what is on its way is lost.
    package mutating func cut() throws {
        for index in ends.indices {
            ends[index].wire = []
            try ends[index].end(now: now)
        }
    }

    private mutating func deliver(from index: Int, limit: Int) throws -> Bool {
        var isActive = try ends[index].store(now: now)
        if ends[index].wire.isEmpty {
            try ends[index].handle(.tick, now: now)
            if try ends[index].store(now: now) { isActive = true }
        }
        guard !ends[index].wire.isEmpty else { return isActive }
        let piece = 1 + Int(random.next() % UInt64(largestPiece))
        let count = min(piece, ends[index].wire.count, limit - delivered)
        guard count > 0 else { return false }
        let bytes = ends[index].wire.prefix(count)
        ends[index].wire.removeFirst(count)
        delivered += count
        try ends[1 - index].handle(.received(bytes), now: now)
        return true
    }
}
