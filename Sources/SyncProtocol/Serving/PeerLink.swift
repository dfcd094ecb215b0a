// Invariants
// * The session's questions are answered in the order it asked them, except that what is to be stored waits in `waiting` for whoever
//   writes to the log; frames of a link are stored in the order they came.
// * For one thread at a time.

package import EventLog
import Storage

/// A session of a store with one peer, and what it needs of the store.
///
/// Whoever runs it moves the bytes, stores what waits, and says when time passed or the log grew:
///
/// ```swift
/// link.handle(.received(bytes), now: now)
/// for work in link.takeWaiting() { try inbox.take(work) }      // … then flush the log
/// link.handle(.stored(inbox.settle().stored), now: now)
/// channel.write(link.takeOutput())
/// ```
package struct PeerLink {
    /// Something from the peer that is to be made durable.
    package enum Waiting: Sendable {
        case frame(PackedFrame, isPart: Bool, bulk: Int)
        case blob(Message, bulk: Int)
        case offer(BaselineOffer)
        case baseline(BaselinePiece, bulk: Int)
        /// Blobs that the peer wants to have kept.
        case keep(number: UInt32, [BlobReference])
    }

    package private(set) var session: Session
    /// Why the session was refused, when the store was the reason.
    package private(set) var failure: (any Error)?
    private let log: EventLog
    private let content: any BlobExchange
    private var outbox: Outbox
    /// Those that the peer was offered; they can be read although the log may have been trimmed further.
    private var baselines: [Digest128: BaselineFile] = [:]
    private var hasMet = false
    private var waiting: [Waiting] = []
    /// What the peer said it has since this was last taken.
    private var acknowledged: [Tip] = []

    package init(_ configuration: SessionConfiguration, log: EventLog, blobs: any BlobExchange, now: UInt64) {
        self.log = log
        content = blobs
        outbox = Outbox(log)
        session = Session(configuration, tips: log.durableState.branches.tips, now: now)
    }

    /// Tells the session what happened, and answers what it asks.
    package mutating func handle(_ input: SessionInput, now: UInt64) {
        session.handle(input, now: now)
        if !hasMet, let peer = session.peer?.replica {
            hasMet = true
            content.meet(peer)
        }
        var effects = session.takeEffects()[...]
        while let effect = effects.popFirst() {
            do {
                if let answer = try answer(effect) {
                    session.handle(answer, now: now)
                    effects += session.takeEffects()
                }
            } catch {
                failure = error
                session.handle(.refused(Refusal(.failed, "the store of the peer failed")), now: now)
                return
            }
        }
    }

    /// What is to be made durable, in the order it came.
    package mutating func takeWaiting() -> [Waiting] {
        defer { waiting = [] }
        return waiting
    }

    /// Ends the session because of an error of the store.
    package mutating func fail(_ error: any Error, as refusal: Refusal, now: UInt64) {
        failure = error
        handle(.refused(refusal), now: now)
    }

    package mutating func takeOutput() -> [UInt8] { session.takeOutput() }

    package mutating func takeAcknowledged() -> [Tip] {
        defer { acknowledged = [] }
        return acknowledged
    }

    private mutating func answer(_ effect: SessionEffect) throws -> SessionInput? {
        switch effect {
        case .compare(let tips, let round):
            acknowledged += tips
            return .wants(try TipComparison.wants(of: tips, from: log), round: round)
        case .gather(let wants): outbox.gather(wants)
        case .serve(let wants, let round, let having):
            let files = try outbox.serve(wants, round: round, having: having)
            for file in files { baselines[file.identity] = file }
            return .serving(
                round: round,
                baselines: files.map { BaselineOffer(identity: $0.identity, digests: $0.bodies.map(\.digest)) })
        case .follow(let position): try outbox.follow(session.configuration.replica, after: position)
        case .read(let limit): return .outgoing(try outbox.read(limit: limit))
        case .store(let frame, let isPart, let bulk): waiting.append(.frame(frame, isPart: isPart, bulk: bulk))
        case .acknowledged(let tips): acknowledged += tips
        case .chooseBlobs(let count): return .blobRequests(try content.choose(count))
        case .readBlob(let range):
            let (messages, rest) = try content.read(range)
            return .blobContent(messages, rest: rest)
        case .storeBlob(let message, let bulk): waiting.append(.blob(message, bulk: bulk))
        case .missBlob(let id): content.miss(id)
        case .prepareBaseline(let offer): waiting.append(.offer(offer))
        case .storeBaseline(let piece, let bulk): waiting.append(.baseline(piece, bulk: bulk))
        case .readBaseline(let identity, let body):
            guard let file = baselines[identity], body < file.bodies.count else {
                return .refused(Refusal(.protocolBroken, "body \(body) of baseline \(identity) was asked for, which is none"))
            }
            let pieces = BaselinePiece.pieces(of: try file.frame(body), body, in: identity)
            return .baselineContent(pieces, next: body + 1 < file.bodies.count ? body + 1 : nil)
        case .keepBlobs(let number, let blobs): waiting.append(.keep(number: number, blobs))
        case .noteBlobs(let news): content.note(news)
        }
        return nil
    }
}
