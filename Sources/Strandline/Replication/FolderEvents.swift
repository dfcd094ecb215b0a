import Storage
import SyncProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Tells of the steps of an exchange with a shared folder, as of those with a peer.
struct FolderEvents {
    private let store: String
    private let peer: String
    private let clock: any WallClock
    private let post: (SyncEvent) -> Void
    /// Whether steps that come to nothing are told too: the first exchange is worth telling even when it brings nothing.
    private let isTold: Bool

    init(_ engine: Engine, _ peer: SyncPeer, isTold: Bool) {
        store = engine.layout.root
        self.peer = peer.description
        clock = engine.environment.clock
        post = { engine.replicator.events.post($0) }
        self.isTold = isTold
    }

    /// Runs one step, and tells of its beginning and its end.
    ///
    /// - Parameter body: returns what the step has come to.
    func step(_ kind: SyncEvent.Kind, _ body: () throws -> ExchangeReport.Traffic) throws {
        var event = SyncEvent(kind: kind, store: store, peer: peer, started: now)
        if isTold { post(event) }
        let begun = event
        do {
            let traffic = try body()
            event.transactions = traffic.transactions
            event.bytes = traffic.bytes + traffic.blobBytes
            event.blobs = traffic.blobs
            guard isTold || traffic != ExchangeReport.Traffic() else { return }
        } catch {
            event.error = StoreError.of(error)
            event.ended = now
            if !isTold { post(begun) }
            post(event)
            throw error
        }
        event.ended = now
        if !isTold { post(begun) }
        post(event)
    }

    private var now: Date { Date(timeIntervalSince1970: Double(clock.now()) / 1_000) }
}
