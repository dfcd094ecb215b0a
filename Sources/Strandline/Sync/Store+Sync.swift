public import EventLog
import Storage
import SyncProtocol
import Synchronization

extension Store {
    /// Exchanges with a peer what either lacks; returns when both are caught up.
    ///
    /// Afterwards both have the same history, except for what the peer got meanwhile. Nothing is lost or sent twice when it is
    /// interrupted: the next one goes on.
    ///
    /// - Parameters:
    ///   - blobs: which blobs are taken from the peer, from now on: it is remembered. Without it, as before, at first all.
    ///   - progress: hears, from another thread, how many transactions came and went so far.
    /// - Throws: ``StoreError`` `wrongDataset`, which says how to make an empty store that joins; `notFound` when there is no such
    ///   folder or store, `storage`.
    @discardableResult
    public func sync(
        with peer: SyncPeer, blobs: BlobPolicy? = nil, progress: @escaping @Sendable (SyncReport) -> Void = { _ in }
    ) async throws -> SyncReport {
        let engine = engine
        return try await engine.background.run {
            try engine.checkReadable()
            do {
                let policy = try engine.policy(blobs, of: peer)
                return SyncReport(try engine.exchange(with: peer, policy) { progress(SyncReport($0.report)) })
            } catch let error as SyncError {
                throw StoreError(error)
            }
        }
    }

    /// What is here and is not applied yet, because its clock was too far ahead.
    public var heldOrigins: [HeldOrigin] { engine.log.heldOrigins }

    /// Applies everything that was received of an origin, whatever its clock said.
    ///
    /// - Parameter origin: as ``heldOrigins`` names it.
    /// - Returns: whether something of it was held.
    /// - Throws: `readOnly`, `outcomeUnknown` or `storage` when the disk fails.
    @discardableResult
    public func release(_ origin: ReplicaID) async throws -> Bool {
        let engine = engine
        return try await engine.background.run {
            try engine.checkReadable()
            let wasHeld = try engine.exclusively { try engine.log.release(origin: origin) }
            engine.records.note(.released, .origin(origin), .flag(.wasHeld, wasHeld))
            return wasHeld
        }
    }
}

extension Engine {
    func exchange(
        with peer: SyncPeer, _ policy: BlobPolicy, _ progress: @escaping @Sendable (ExchangeProgress) -> Void
    ) throws -> ExchangeReport {
        let steps = ExchangeSteps(turn: { [self] body in try exclusively(body) }, progress: progress)
        if policy != .eager { replicator.noteLazy() }
        switch peer {
        case .unix, .exec, .stream:
            guard let transport = peer.transport else { return ExchangeReport() }
            return try converse(with: transport, policy, progress)
        case .folder(let path):
            return try exchange(folder: path, policy, isTold: true, progress)
        case .store(let path):
            let other = try EventLog.open(at: path, in: environment, mode: .readWrite)
            do {
                try checkDataset(of: other, at: path)
                let report = try DirectExchange(
                    log, blobs, with: other, BlobStore(StoreLayout(root: path), in: environment), policy: policy
                ).sync(steps: steps)
                // Each has now what the other has: trimming may count on it.
                for (one, peer, name) in [(log, other, path), (other, log, layout.root)] {
                    let vector = one.durableState.branches.vector(of: peer.durableState.branches.tips)
                    try one.acknowledge(peer: peer.replica, name: name, vector)
                }
                try other.close()
                syncNotes.note(report, of: peer.description)
                return report
            } catch {
                try? other.close()
                throw error
            }
        }
    }
}

extension Engine {
    /// Exchanges with a shared folder.
    ///
    /// - Parameter isTold: whether those who listen hear of it even if it comes to nothing.
    func exchange(
        folder path: String, _ policy: BlobPolicy, isTold: Bool, _ progress: @escaping @Sendable (ExchangeProgress) -> Void
    ) throws -> ExchangeReport {
        let steps = ExchangeSteps(turn: { [self] body in try exclusively(body) }, progress: progress)
        let events = FolderEvents(self, .folder(path: path), isTold: isTold)
        // What an exchange remembers saves looking; a new one is as good.
        var exchange = exchanges.withLock { $0[path] } ?? FolderExchange(path, log: log, blobs: blobs, in: environment)
        exchange.policy = policy
        var report = ExchangeReport()
        do {
            try events.step(.setup) {
                try checkDataset(of: path)
                return ExchangeReport.Traffic()
            }
            try events.step(.import) {
                report = try exchange.receive(steps: steps)
                return report.imported
            }
            try events.step(.export) {
                try exchange.publish(steps: steps, &report)
                return report.published
            }
        } catch let error as SyncError {
            throw StoreError(error)
        }
        let remembered = exchange
        exchanges.withLock { $0[path] = remembered }
        return report
    }

    /// A new store that was not told what to join would share a folder with others and never meet them.
    private func checkDataset(of folder: String) throws {
        let datasets = try FolderExchange.datasets(in: folder, environment)
        guard let other = datasets.first, !datasets.contains(log.dataset) else { return }
        guard try isEmpty else { return }
        throw StoreError(
            .wrongDataset,
            "the folder \(folder) holds dataset \(other), and this empty store begins one of its own; \(Self.hint(other))")
    }

    /// Two stores that are to sync have one dataset; if one of them is empty, what went wrong is how it was made.
    private func checkDataset(of other: EventLog, at path: String) throws {
        guard other.dataset != log.dataset else { return }
        if try isEmpty {
            throw StoreError(
                .wrongDataset,
                "the store \(path) is of dataset \(other.dataset), and this empty store begins one of its own; "
                    + Self.hint(other.dataset))
        }
        guard other.durableState.position.lastLSN == 0 else { return }
        throw StoreError(
            .wrongDataset,
            "the store \(path) is empty and begins a dataset of its own, and this one is of dataset \(log.dataset); "
                + Self.hint(log.dataset))
    }

    /// A store is of a dataset from its first byte on: chains begin with the dataset, and other processes may have it open.
    private static func hint(_ dataset: DatasetID) -> String {
        "delete the empty one and make it anew to join: strandline create STORE --join \(dataset), or with the dataset among the "
            + "options of Store.open"
    }

    private var isEmpty: Bool { get throws { try read { $0.state.populatedEntities.isEmpty } } }
}

extension StoreError {
    init(_ error: SyncError) {
        if let log = error.cause as? LogError {
            self.init(log)
            return
        }
        let cause = error.cause as? StorageError
        let code: Code =
            switch error.code {
            case .wrongDataset: .wrongDataset
            case .notAFolder: .invalidOption
            case .folder where cause == nil || cause?.code == .notFound: .notFound
            case .folder, .store: .storage
            }
        self.init(code, error.description, underlying: cause.map { LogError($0) })
    }
}
