public import EventLog
import Storage
import SyncProtocol
import Synchronization

extension Store {
    /// Brings a blob here that is elsewhere: from a folder that this store was synced with, or from any peer that is connected and has it.
    ///
    /// ```swift
    /// try await store.fetch(blob: photo.data) { done, total in bar.update(done, total) }
    /// let bytes = try photo.data.read()
    /// ```
    ///
    /// Returns at once when it is here. Calls for the same blob at the same time share the transfer; what came before a call is cancelled
    /// or gives up is kept.
    ///
    /// - Parameters:
    ///   - priority: the higher, the sooner; all of them come before what nobody has asked for.
    ///   - peer: whom to ask besides; a connection of its own is made for it.
    ///   - patience: how long to wait for a peer that has it. One that connects meanwhile is asked, too.
    ///   - progress: hears, from another thread, the bytes that are here, and all.
    /// - Throws: `blobMissing` when none of the peers has it; `peerUnreachable` when none is connected; `interrupted` when it did not come
    ///   in time; `CancellationError`; `storage`.
    public func fetch(
        blob: BlobReference, priority: Int = 0, from peer: SyncPeer? = nil, patience: Duration = .seconds(30),
        progress: @escaping @Sendable (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) async throws {
        let engine = engine
        let isHere = try await engine.background.run {
            try engine.checkReadable()
            return try engine.fetchNearby(blob, peer)
        }
        if isHere { return }
        let replication = peer.flatMap { $0.transport == nil ? nil : Replication(engine, $0, .onDemand) }
        try replication?.start()
        defer { replication?.stop() }
        let wait = BlobWait(engine.replicator.transfers)
        let timer = Task { [replication] in
            await wait.watch(for: patience, blob.id, replication)
            wait.giveUp()
        }
        defer { timer.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    wait.begin(
                        BlobDemand(
                            blob, priority: priority, onProgress: { progress($0, blob.length) },
                            onEnd: { [replication] shortage in
                                guard let shortage else { return continuation.resume() }
                                continuation.resume(throwing: StoreError.lacking(blob, shortage, replication))
                            }))
                    engine.replicator.runningLoop?.lookForBlobs()
                }
            } onCancel: {
                wait.giveUp(isCancelled: true)
            }
        } catch {
            // It may have come by another way.
            guard (try? engine.blobs.contains(blob.id)) ?? false else { throw error }
        }
        try await engine.background.run { try engine.noteFetched(blob) }
    }

    /// Brings the blob of a fetched handle here; see ``fetch(blob:priority:from:patience:progress:)-(BlobReference,_,_,_,_)``.
    ///
    /// - Throws: `closed` for a handle that has not been stored.
    public func fetch(
        blob: Blob, priority: Int = 0, from peer: SyncPeer? = nil, patience: Duration = .seconds(30),
        progress: @escaping @Sendable (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) async throws {
        guard case .stored(let reference) = blob.content else {
            throw StoreError(.closed, "the content has not been stored; fetch its object first")
        }
        try await fetch(blob: reference, priority: priority, from: peer, patience: patience, progress: progress)
    }
}

extension Engine {
    /// Brings a blob from where nobody has to be asked; whether it is here then.
    fileprivate func fetchNearby(_ blob: BlobReference, _ peer: SyncPeer?) throws -> Bool {
        if try blob.inline != nil || blobs.contains(blob.id) { return true }
        var places = exchanges.withLock { $0.keys.sorted() }.filter { path in
            ((try? blobs.copies().policy(of: SyncPeer.folder(path: path).description)) ?? nil) != BlobPolicy.none
        }
        if case .folder(let path)? = peer { places = [path] }
        for path in places {
            let exchange = FolderExchange(path, log: log, blobs: blobs, in: environment)
            do {
                _ = try exchange.fetch([blob])
            } catch {
                // A folder that is not there at the moment is none.
                if case .folder? = peer { throw error }
            }
            if try blobs.contains(blob.id) { return try found(blob) }
        }
        switch peer {
        case .store(let path)?:
            _ = try DirectExchange.fetch([blob], into: blobs, from: BlobStore(StoreLayout(root: path), in: environment))
        case .folder?, .unix?, .exec?, .stream?, nil: break
        }
        if try blobs.contains(blob.id) { return try found(blob) }
        guard let peer, peer.transport == nil else { return false }
        throw StoreError(.blobMissing, "\(peer) does not have blob \(blob.id); fetch it from another peer")
    }

    private func found(_ blob: BlobReference) throws -> Bool {
        try noteFetched(blob)
        return true
    }

    /// A blob that was evicted is here again.
    fileprivate func noteFetched(_ blob: BlobReference) throws {
        if try blobs.copies().evicted.contains(blob.id) {
            try blobs.changeCopies { copies, _ in copies.evicted.remove([blob.id]) }
        }
        guard replicator.blobEvents.hasListeners else { return }
        replicator.blobEvents.post(try replicator.transfers.status(of: blob))
    }
}

extension StoreError {
    /// Why a blob that was asked for has not come.
    fileprivate static func lacking(
        _ blob: BlobReference, _ shortage: BlobShortage, _ replication: Replication?
    ) -> any Error {
        switch shortage {
        case .cancelled: return CancellationError()
        case .nobodyThere:
            switch replication?.phase {
            case .waiting(let error)?, .stopped(let error?)?: return error
            case .connecting?, .connected?, .stopped(nil)?, nil: break
            }
            return StoreError(
                .peerUnreachable, "no peer is connected that might have blob \(blob.id); connect to one, and fetch it again")
        case .nobodyHasIt(let peers):
            return StoreError(
                .blobMissing,
                "blob \(blob.id) is not here, and none of the \(peers) peers that are connected has it; connect to one that has"
            )
        case .tooSlow:
            return StoreError(.interrupted, "blob \(blob.id) did not come whole in time; what came is kept: fetch it again")
        case .tooLong:
            return StoreError(.tooLarge, "blob \(blob.id) is said to have \(blob.length) bytes, and is not fetched")
        }
    }
}
