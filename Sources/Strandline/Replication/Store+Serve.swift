import SyncProtocol
public import Transports

extension Store {
    /// Lets peers sync with this store at an address, and stay to hear of every commit.
    ///
    /// ```swift
    /// let server = try await store.serve(on: UnixListener(path: "/run/posts"))
    /// // …
    /// server.stop()
    /// ```
    ///
    /// Whoever the listener lets in may read and write the whole dataset.
    ///
    /// - Parameters:
    ///   - blobs: which blobs are taken from those that call.
    ///   - onRefusal: hears, from another thread, of callers that the listener turned away.
    /// - Throws: `closed`, or `storage` when the system starts no more threads.
    @discardableResult
    public func serve(
        on listener: any ChannelListener, blobs: BlobPolicy = .eager,
        onRefusal: @escaping @Sendable (TransportError) -> Void = { _ in }
    ) async throws -> SyncServer {
        let engine = engine
        return try await engine.background.run {
            try engine.checkReadable()
            if blobs == .eager {
                try engine.replicator.wantLackingBlobs(of: engine)
            } else {
                engine.replicator.noteLazy()
            }
            let loop = try engine.replicator.loop(of: engine)
            let id = try loop.listen(on: listener, PeerLoop.Purpose(isLive: true, blobs: blobs), onFailure: onRefusal)
            return SyncServer(address: listener.address, loop: loop, id: id)
        }
    }

    /// Serves one peer at the other end of a channel, until it leaves.
    ///
    /// - Returns: what was exchanged.
    /// - Throws: why the session ended too early, as ``sync(with:progress:)``.
    @discardableResult
    public func serve(_ channel: any ByteChannel, blobs: BlobPolicy = .eager) async throws -> SyncReport {
        let engine = engine
        return try await engine.background.run {
            try engine.checkReadable()
            let outcome = try engine.converse(on: channel, PeerLoop.Purpose(isLive: true, blobs: blobs))
            if let error = outcome.error { throw error }
            return SyncReport(ExchangeReport(outcome.progress))
        }
    }

    /// Keeps this store in sync with a peer: connects, stays, hears of every commit on either side, and connects again when the
    /// connection is lost.
    ///
    /// A folder is watched: what is committed here is there soon after, and what others put there is here; one that is full, read-only or not there is
    /// tried again until it is not.
    ///
    /// ```swift
    /// let replication = try await store.replicate(with: .unix(path: "/run/posts"))
    /// ```
    ///
    /// - Parameter blobs: which blobs are taken from the peer, from now on: it is remembered. Without it, as before, at first all.
    /// - Returns: a handle; replication goes on until it is stopped, or the store is closed.
    /// - Throws: `closed`.
    public func replicate(with peer: SyncPeer, blobs: BlobPolicy? = nil) async throws -> Replication {
        try await replicate(with: peer, blobs: blobs, folderInterval: FolderFollower.usualInterval)
    }

    /// - Parameter folderInterval: how often a folder is looked at without having heard of anything, in milliseconds.
    package func replicate(
        with peer: SyncPeer, blobs: BlobPolicy? = nil, folderInterval: Int
    ) async throws -> Replication {
        let engine = engine
        return try await engine.background.run {
            try engine.checkReadable()
            let replication = Replication(
                engine, peer, try engine.policy(blobs, of: peer), folderInterval: folderInterval)
            try replication.start()
            return replication
        }
    }
}

/// An address at which a store serves its peers.
public struct SyncServer: Sendable {
    /// Where peers find it; of a port that the system chose, with its number.
    public let address: String
    private let loop: PeerLoop
    private let id: Int

    init(address: String, loop: PeerLoop, id: Int) {
        self.address = address
        self.loop = loop
        self.id = id
    }

    /// Takes no more peers; those that are connected stay.
    public func stop() { loop.drop(id) }
}
