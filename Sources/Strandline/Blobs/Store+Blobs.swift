public import EventLog
import Storage
import SyncProtocol

extension Store {
    /// Where a blob is: here, on its way, or with whom.
    ///
    /// - Throws: `storage`, or `corrupt` for a damaged file of what is known of peers.
    public func status(of blob: BlobReference) throws -> BlobStatus {
        try engine.checkReadable()
        return try StoreError.wrap { try engine.replicator.transfers.status(of: blob) }
    }

    /// Where the blobs are that objects of this store name, ascending by id; those that are kept within the log left out.
    ///
    /// ```swift
    /// for status in try await store.blobs() where status.state == .lacking { print(status.blob.id) }
    /// ```
    ///
    /// - Throws: as ``status(of:)``.
    public func blobs() async throws -> [BlobStatus] {
        let engine = engine
        return try await engine.background.run {
            var found: [BlobID: BlobReference] = [:]
            try engine.read { reader in try reader.forEachBlob { found[$0.id] = $0 } }
            return try found.values.sorted { $0.id < $1.id }.map { try engine.replicator.transfers.status(of: $0) }
        }
    }

    /// What becomes of blobs from now on: each time some of one has come, one is whole, or was evicted, through this store.
    ///
    /// Ends when the store is closed. Of a slow listener's events the latest thousand wait.
    public func blobChanges() -> AsyncStream<BlobStatus> { engine.replicator.blobEvents.stream() }

    /// The bytes of a stretch of a blob that is whole here, or on its way with all chunks that the stretch touches: these are verified.
    ///
    /// - Throws: `blobMissing` when some of it is not here; `blobDamaged`, `storage`.
    public func readArrived(_ blob: BlobReference, at offset: UInt64 = 0, count: Int = 1 << 20) throws -> [UInt8] {
        try engine.checkReadable()
        if try StoreError.wrap({ try blob.inline != nil || engine.blobs.contains(blob.id) }) {
            return try read(blob, at: offset, count: count)
        }
        let start = min(offset, blob.length)
        let end = start + min(UInt64(max(0, count)), blob.length - start)
        return try StoreError.wrap {
            if let bytes = try engine.replicator.transfers.readArrived(start..<end, of: blob) { return bytes }
            throw StoreError(
                .blobMissing,
                "bytes \(start) to \(end) of blob \(blob.id) are not here yet; fetch it, and wait for it to be whole")
        }
    }
}

// What is on its way.
extension Store {
    /// Blobs that are wanted and not here.
    package var wantedBlobs: Int { engine.replicator.transfers.wantedCount }

    /// Peers that are known to have a blob.
    package func holders(of blob: BlobReference) throws -> [ReplicaID] { try engine.replicator.transfers.holders(of: blob.id) }

    /// Whether a peer is connected.
    package var isMet: Bool { engine.replicator.transfers.isMet }
}

extension Engine {
    /// Which blobs are taken from a peer: as it is said now, and then remembered, or as it was said the last time.
    func policy(_ given: BlobPolicy?, of peer: SyncPeer) throws -> BlobPolicy {
        let name = peer.description
        let known = try blobs.copies().policy(of: name)
        guard let given, given != known, given != .eager || known != nil else { return known ?? .eager }
        // What was left there so far: an exchange looks only at what is new.
        if given == .eager { try bringLacking(from: peer) }
        try blobs.changeCopies { copies, _ in copies.setPolicy(given, of: name) }
        return given
    }

    /// Fetches what is lacking from a folder or a store; streams bring it by themselves.
    private func bringLacking(from peer: SyncPeer) throws {
        guard peer.transport == nil else { return }
        let lacking = try read { try $0.lackingBlobs(in: blobs) }
        guard !lacking.isEmpty else { return }
        switch peer {
        case .folder(let path):
            _ = try FolderExchange(path, log: log, blobs: blobs, in: environment).fetch(lacking)
        case .store(let path):
            _ = try DirectExchange.fetch(lacking, into: blobs, from: BlobStore(StoreLayout(root: path), in: environment))
        case .unix, .exec, .stream: break
        }
    }
}
