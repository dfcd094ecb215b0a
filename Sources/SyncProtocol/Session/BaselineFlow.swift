// Invariants
// * `offers` are those of the round at hand that are not joined yet; the first is being taken, and what comes belongs to it.
// * While there are any, the round waits: once all are joined, it is asked for again.

import EventLog
import Storage

/// The baselines that one side gives the other, in both directions.
struct BaselineFlow {
    private enum State {
        case due
        /// Somebody else is at it; to be looked at again then.
        case waiting(until: UInt64)
        case asked
        case coming(body: Int, offset: Int)
    }

    /// Milliseconds before one looks again whether somebody else has received a baseline.
    private static let patience: UInt64 = 500

    // What comes.
    private var offers: [BaselineOffer] = []
    private var isTold = false
    private var state = State.due
    private var storing = 0

    // What goes.
    /// Those that the peer was offered: when it wants the same again, it has them.
    private(set) var offered: Set<Digest128> = []
    /// The body that the peer is to get next.
    private(set) var serving: (identity: Digest128, body: Int)?
    var isReading = false

    /// Whether the peer is giving baselines.
    var isTaking: Bool { !offers.isEmpty }

    /// Takes what the peer tells of an offer; whether all of them are told.
    mutating func take(_ stretch: BaselineOffer.Stretch, isLast: Bool) throws(Refusal) -> Bool {
        guard !isTold else { throw Refusal(.protocolBroken, "the peer offered baselines twice at once") }
        if stretch.first == 0 {
            offers.append(BaselineOffer(identity: stretch.identity, digests: []))
        }
        guard let last = offers.indices.last, offers.count <= WireFormat.maximumOffers,
            offers[last].identity == stretch.identity, offers[last].digests.count == stretch.first
        else { throw Self.unasked }
        offers[last].digests += stretch.digests
        let total = offers.reduce(0) { $0 + $1.digests.count }
        guard total <= WireFormat.maximumDigests else {
            throw Refusal(.overloaded, "the peer offered baselines of more than \(WireFormat.maximumDigests) bodies")
        }
        guard isLast else { return false }
        guard stretch.isLast else { throw Self.unasked }
        isTold = true
        state = .due
        return true
    }

    /// The offer that is to be prepared for now.
    mutating func nextToPrepare() -> BaselineOffer? {
        guard isTold, case .due = state, let first = offers.first else { return nil }
        state = .asked
        return first
    }

    /// Time has passed.
    mutating func tick(_ now: UInt64) {
        if case .waiting(let end) = state, now >= end { state = .due }
    }

    /// How far the first offer is here; the body that the peer is to be asked for, and whether all offers are joined.
    mutating func prepared(_ readiness: BaselineReadiness, now: UInt64) -> (ask: (Digest128, Int)?, isDone: Bool) {
        guard case .asked = state, let first = offers.first else { return (nil, false) }
        switch readiness {
        case .taken: return (nil, joined())
        case .busy:
            state = .waiting(until: now + Self.patience)
            return (nil, false)
        case .from(let body):
            state = .coming(body: body, offset: 0)
            return ((first.identity, body), false)
        }
    }

    /// The first offer is joined; whether all are.
    private mutating func joined() -> Bool {
        offers.removeFirst()
        state = .due
        guard offers.isEmpty else { return false }
        isTold = false
        return true
    }

    /// Checks that a piece is what is due.
    mutating func take(_ piece: BaselinePiece) throws(Refusal) {
        guard case .coming(let body, let offset) = state, let first = offers.first, piece.identity == first.identity,
            piece.body == body, piece.offset == offset, body < first.digests.count
        else { throw Self.unasked }
        storing += 1
        state = piece.isLast ? .coming(body: body + 1, offset: 0) : .coming(body: body, offset: offset + piece.bytes.count)
    }

    /// Pieces are stored; whether all offers are joined.
    mutating func stored(isJoined: Bool) -> Bool {
        storing -= 1
        return isJoined ? joined() : false
    }

    mutating func offer(_ baselines: [BaselineOffer]) { offered.formUnion(baselines.map(\.identity)) }

    mutating func serve(_ identity: Digest128, from body: Int) throws(Refusal) {
        guard offered.contains(identity), serving == nil else {
            throw Refusal(.protocolBroken, "the peer asked for a baseline that it was not offered")
        }
        serving = (identity, body)
    }

    /// Notes what was read; nil behind the last body.
    mutating func served(next body: Int?) {
        guard let identity = serving?.identity else { return }
        serving = body.map { (identity, $0) }
    }

    private static let unasked = Refusal(.protocolBroken, "the peer sent what is not due of a baseline")
}
