// Invariants
// * Bytes go out in order: what did not fit is in `output` from `sent` on, and nothing is taken from the link before it is gone.
// * Once writing has failed nothing is sent any more, but what the peer said before it left is still read: it may say why.
// * For the loop's thread.

import EventLog
import Storage
import SyncProtocol
import Transports

/// A channel to a peer, the session on it, and what is on its way between the two.
struct PeerConnection {
    let id: Int
    let channel: any ByteChannel
    private(set) var link: PeerLink
    private var output: [UInt8] = []
    private var sent = 0
    private var tracker: EventTracker
    /// Why the transport gave up.
    private(set) var failure: (any Error)?
    private var canWrite = true
    /// When the connection is closed, whatever waits to be sent: set once the session is over.
    private var closeBy: UInt64?

    /// Milliseconds for the last words of a session.
    private static let lastWords: UInt64 = 5_000
    /// Bytes that are read from one peer before the others have their turn.
    private static let readLimit = 1 << 20

    init(id: Int, channel: any ByteChannel, link: PeerLink, tracker: EventTracker) {
        self.id = id
        self.channel = channel
        self.link = link
        self.tracker = tracker
    }

    var hasOutput: Bool { sent < output.count || link.session.hasOutput }

    /// Whether both have introduced themselves, and still talk.
    var isMet: Bool { link.session.peer != nil && link.session.end == nil }

    /// Whether the channel can be closed.
    func isOver(at now: UInt64) -> Bool {
        guard link.session.end != nil else { return false }
        return !hasOutput || failure != nil || closeBy.map { now >= $0 } ?? false
    }

    /// Tells the session what happened, and sends what it says to that.
    mutating func handle(_ input: SessionInput, now: UInt64) {
        link.handle(input, now: now)
        write(now)
        tracker.note(link.session)
    }

    mutating func fail(_ error: any Error, as refusal: Refusal, now: UInt64) {
        link.fail(error, as: refusal, now: now)
        write(now)
    }

    /// Reads what has come, as much as is one peer's turn.
    mutating func read(into buffer: inout [UInt8], now: UInt64) {
        var left = Self.readLimit
        do throws(TransportError) {
            while left > 0, link.session.end == nil {
                var span = buffer.mutableSpan
                switch try channel.read(into: &span) {
                case .bytes(let count):
                    left -= count
                    link.handle(.received(buffer[0..<count]), now: now)
                case .nothing: left = 0
                case .end:
                    link.handle(.ended, now: now)
                    left = 0
                }
            }
        } catch {
            lose(error, now)
        }
        write(now)
        tracker.note(link.session)
    }

    /// Asks the transport whether the peer may still be talked to.
    mutating func recheck(now: UInt64) {
        do throws(TransportError) { try channel.recheck() } catch { lose(error, now) }
    }

    /// Sends what there is room for.
    mutating func write(_ now: UInt64) {
        do throws(TransportError) {
            while canWrite {
                if sent == output.count {
                    output = link.takeOutput()
                    sent = 0
                    if output.isEmpty { break }
                }
                let count = try channel.write(output.span.extracting(sent...))
                if count == 0 { break }
                sent += count
                // There is room again for what the session holds back.
                if sent == output.count { link.handle(.tick, now: now) }
            }
        } catch {
            canWrite = false
        }
        if !canWrite {
            _ = link.takeOutput()
            output = []
            sent = 0
        }
        if link.session.end != nil, closeBy == nil { closeBy = now + Self.lastWords }
    }

    mutating func takeWaiting() -> [PeerLink.Waiting] { link.takeWaiting() }
    mutating func takeAcknowledged() -> [Tip] { link.takeAcknowledged() }

    /// Closes the channel, and says how it all ended.
    mutating func close() -> ConnectionOutcome {
        channel.close()
        let outcome = ConnectionOutcome(peer: channel.peer, progress: link.session.progress, error: error)
        tracker.end(link.session, error)
        return outcome
    }

    private mutating func lose(_ error: TransportError, _ now: UInt64) {
        guard failure == nil else { return }
        // A peer that said all it had to may be gone before our farewell.
        failure = error
        link.handle(.ended, now: now)
    }

    private var error: StoreError? {
        if case .complete = link.session.end { return nil }
        if let failure = failure ?? link.failure {
            return StoreError.of(failure)
        }
        return link.session.end.flatMap { StoreError($0, peer: channel.peer) }
    }
}
