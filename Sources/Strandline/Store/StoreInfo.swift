public import EventLog
import Projection
import Storage

/// What a store holds, and how much room it takes.
public struct StoreInfo: Sendable, Hashable {
    /// Objects that are there, of an entity by wire name.
    public struct Population: Sendable, Hashable {
        public let entity: String
        public let objects: Int
    }

    public let dataset: DatasetID
    /// The id under which the store writes now.
    public let replica: ReplicaID
    /// What the history covers.
    public let token: HistoryToken
    /// Ascending by entity.
    public let populations: [Population]
    /// Below what the history is gone; nil as long as all of it is here.
    public let floor: HistoryToken?
    /// Who has acknowledged how much: peers, then consumers.
    ///
    /// Those that have been silent for thirty days hold up no trim.
    public let peers: [PeerRecord]
    /// Transactions in the log, held ones included, those below the floor not.
    public let transactions: UInt64
    /// When the first of them in the log, and the latest, was stamped; nil in an empty store.
    public let first: Timestamp?, latest: Timestamp?
    /// What is here and waits because its clock was ahead.
    public let held: [HeldOrigin]
    /// Segments of the log, and bytes of its files: with a baseline's, with room set aside for what comes, and with large transactions' own files.
    public let segments: Int
    public let logBytes: UInt64
    /// Blobs in files of their own, and their bytes.
    public let blobs: Int
    public let blobBytes: UInt64
    /// Files that recovery put aside.
    public let quarantined: Int
}

extension Store {
    /// Counts what the store holds, and measures its files.
    ///
    /// - Throws: `storage` when its directories cannot be listed.
    public func info() async throws -> StoreInfo {
        let engine = engine
        return try await engine.background.run { try engine.info() }
    }
}

extension Engine {
    fileprivate func info() throws -> StoreInfo {
        let populations = try read { reader in
            try reader.state.schema.names.map { name in
                StoreInfo.Population(
                    entity: name.text, objects: try reader.count(FetchDescription(entity: name.text)))
            }
        }
        let state = log.durableState
        var reader = try LogReader(log)
        let first = try reader.next()?.timestamp
        let files = try sizes(in: layout.log)
        let segments = files.filter { StoreLayout.parse(segment: $0.name) != nil }
        let floor = try StoreError.wrap { try log.floor }
        let staged = try sizes(in: layout.staged)
        let stored = try blobs.list()
        return StoreInfo(
            dataset: log.dataset, replica: log.replica, token: token(at: state), populations: populations,
            floor: try StoreError.wrap { try log.floorToken(at: state) }, peers: try StoreError.wrap { try log.peers },
            transactions: state.position.lastLSN - min(floor?.frontLSN ?? 0, state.position.lastLSN), first: first,
            latest: first == nil ? nil : state.branches.branches.map(\.lastTimestamp).max(), held: log.heldOrigins,
            segments: segments.count, logBytes: (files + staged).reduce(0) { $0 + $1.size }, blobs: stored.count,
            blobBytes: stored.reduce(0) { $0 + $1.length }, quarantined: try sizes(in: layout.quarantine).count)
    }

    /// The files of a directory; none when there is no such directory.
    private func sizes(in directory: String) throws -> [(name: String, size: UInt64)] {
        guard try environment.fileSystem.attributes(of: directory) != nil else { return [] }
        return try environment.fileSystem.list(directory).compactMap { name in
            try environment.fileSystem.attributes(of: Path.join(directory, name)).map { (name, $0.size) }
        }
    }
}
