// Invariants
// * `receiver` holds the draft's lock while a baseline is coming; `body` has what came of the body that is due.

import EventLog
import Storage

/// How far a baseline that was offered is here.
package enum BaselineReadiness: Sendable, Equatable {
    /// It is part of the log, or tells it nothing new.
    case taken
    /// Everything before this body is here.
    case from(Int)
    /// Somebody else is receiving it at the moment.
    case busy
}

/// Takes baselines from one peer into a log.
struct BaselineIntake {
    private let log: EventLog
    private var receiver: BaselineReceiver?
    private var body: [UInt8] = []

    init(_ log: EventLog) { self.log = log }

    /// Whether all of the baseline at hand is here, so that it can be joined.
    private(set) var isWhole = false
    /// The blobs that it names, once it is whole.
    private(set) var blobs: [BlobReference] = []

    /// Finds out how much of a baseline is here.
    ///
    /// - Throws: `invalidTransaction` when the offer contradicts itself, `storage`.
    mutating func prepare(_ offer: BaselineOffer) throws(LogError) -> BaselineReadiness {
        pause()
        if try log.floor?.baselines.contains(offer.identity) ?? false { return .taken }
        do throws(LogError) {
            let receiver = try BaselineReceiver(log, identity: offer.identity, digests: offer.digests)
            self.receiver = receiver
            guard let next = receiver.next else {
                try verify()
                return .from(offer.digests.count)
            }
            return .from(next)
        } catch {
            guard error.underlying?.code == .locked else { throw error }
            return .busy
        }
    }

    /// Takes a piece; it comes in order.
    mutating func take(_ piece: BaselinePiece) throws(LogError) {
        guard receiver != nil else { throw LogError(.gap, "a piece of a baseline came that nobody waits for") }
        body += piece.bytes
        guard piece.isLast else { return }
        let frame = BaselineReceiver.frame(body, isCompressed: piece.isCompressed, logicalSize: piece.logicalSize)
        body = []
        try receiver?.add(piece.body, frame)
        if receiver?.next == nil { try verify() }
    }

    private mutating func verify() throws(LogError) {
        blobs = try receiver?.verify() ?? []
        isWhole = true
    }

    /// Makes the baseline part of the log.
    mutating func join() throws(LogError) {
        defer { forget() }
        _ = try receiver?.finish()
    }

    /// Leaves what has come for the next time.
    mutating func pause() {
        receiver?.pause()
        forget()
    }

    private mutating func forget() {
        receiver = nil
        body = []
        isWhole = false
        blobs = []
    }
}
