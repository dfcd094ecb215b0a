public import EventLog
import Storage
import SyncProtocol

extension Store {
    /// Removes blobs here that others keep; they can be fetched again, and are not fetched by themselves.
    ///
    /// Each is removed only once a peer has promised, durably and just now, to keep it: all that are connected are asked. A blob of which
    /// that cannot be said stays, and the report says so. Replicas that evict the same blob at the same time never remove all copies.
    ///
    /// ```swift
    /// let report = try await store.evict(old, promisedBy: .unix(path: "/run/hub"))
    /// for refusal in report.refused { print(refusal.blob.id, refusal.reason) }
    /// ```
    ///
    /// - Parameters:
    ///   - peer: whom to ask instead: a connection is made for it. A folder is asked by reading the whole file there.
    ///   - force: asks nobody. What the report calls lost may be lost for ever.
    ///   - patience: how long to wait for answers.
    /// - Throws: `readOnly`, `storage`; what was removed before stays removed.
    @discardableResult
    public func evict(
        _ blobs: [BlobReference], promisedBy peer: SyncPeer? = nil, force: Bool = false, patience: Duration = .seconds(10)
    ) async throws -> EvictionReport {
        let engine = engine
        return try await engine.background.run {
            try engine.checkReadable()
            let replication = peer.flatMap { $0.transport == nil || force ? nil : Replication(engine, $0, .onDemand) }
            try replication?.start()
            defer { replication?.stop() }
            var report = EvictionReport()
            let wanted = blobs.filter { $0.inline == nil }
            for start in stride(from: 0, to: wanted.count, by: WireFormat.mostLeaving) {
                let some = Array(wanted[start..<min(start + WireFormat.mostLeaving, wanted.count)])
                try engine.evict(some, from: peer, replication, force: force, patience, &report)
            }
            engine.records.note(
                .blobsEvicted, .blobs(report.evicted.count), .bytes(report.bytes), .count(.refused, report.refused.count),
                .count(.lost, report.lost.count))
            return report
        }
    }
}

extension Engine {
    fileprivate func evict(
        _ wanted: [BlobReference], from peer: SyncPeer?, _ replication: Replication?, force: Bool, _ patience: Duration,
        _ report: inout EvictionReport
    ) throws {
        var leaving: [(blob: BlobReference, file: LeavingBlob)] = []
        defer { for each in leaving { each.file.stay() } }
        for blob in wanted where !leaving.contains(where: { $0.blob == blob }) {
            if let file = try blobs.beginLeaving(blob.id) {
                leaving.append((blob, file))
            } else {
                let isHere = try blobs.contains(blob.id)
                report.refused.append(
                    .init(
                        blob: blob,
                        reason: isHere ? "another process is about to remove it, or to promise it to a peer" : "it is not here")
                )
            }
        }
        guard !leaving.isEmpty else { return }
        // From here on nobody is promised any of them.
        let answer =
            force ? (promised: [], reason: "") : try promises(for: leaving.map(\.blob), by: peer, replication, patience)
        var gone: [BlobReference] = []
        defer { withdraw(gone) }
        for (blob, file) in leaving {
            let isPromised = answer.promised.contains(blob.id)
            let holders = try replicator.transfers.holders(of: blob.id)
            guard isPromised || force else {
                let names = holders.map(\.description).joined(separator: ", ")
                let known = holders.isEmpty ? "nobody is known to have it" : names + " said to have it"
                report.refused.append(.init(blob: blob, reason: answer.reason + "; " + known))
                continue
            }
            report.bytes += try file.remove(isPromised: isPromised, force: force)
            report.evicted.append(blob)
            gone.append(blob)
            if !isPromised, holders.isEmpty { report.lost.append(blob) }
        }
    }

    /// Tells peers, and whoever listens here, that blobs are gone.
    private func withdraw(_ gone: [BlobReference]) {
        guard !gone.isEmpty else { return }
        replicator.runningLoop?.withdraw(gone.map(\.id))
        guard replicator.blobEvents.hasListeners else { return }
        for blob in gone {
            if let status = try? replicator.transfers.status(of: blob) { replicator.blobEvents.post(status) }
        }
    }

    /// Which blobs others promise to keep, and why not the rest.
    private func promises(
        for leaving: [BlobReference], by peer: SyncPeer?, _ replication: Replication?, _ patience: Duration
    ) throws -> (promised: Set<BlobID>, reason: String) {
        switch peer {
        case .folder(let path)?:
            let exchange = FolderExchange(path, log: log, blobs: blobs, in: environment)
            return (Set(try leaving.filter { try exchange.holds($0) }.map(\.id)), "the folder \(path) does not have it whole")
        case .store(let path)?:
            let other = try EventLog.open(at: path, in: environment, mode: .readWrite)
            defer { try? other.close() }
            guard other.dataset == log.dataset else {
                throw StoreError(
                    .wrongDataset, "the store \(path) is of dataset \(other.dataset), and this one of \(log.dataset)")
            }
            let kept = try BlobStore(StoreLayout(root: path), in: environment).keep(leaving, for: log.replica)
            return (Set(kept), "the store \(path) does not keep it")
        case .unix?, .exec?, .stream?, nil: return try ask(leaving, replication, patience)
        }
    }

    private func ask(
        _ leaving: [BlobReference], _ replication: Replication?, _ patience: Duration
    ) throws -> (promised: Set<BlobID>, reason: String) {
        let loop = try replicator.loop(of: self)
        let pause = WakeSignal()
        var left = max(1, Int(clamping: Int64(patience / .milliseconds(1))))
        while true {
            let question = replicator.transfers.question(leaving)
            defer { replicator.transfers.forget(question) }
            loop.ask(question)
            let answer = question.wait(milliseconds: left)
            if answer.asked > 0 {
                let silent = answer.silent > 0 ? ", and \(answer.silent) did not answer in time" : ""
                return (answer.promised, "of \(answer.asked) peers that were asked none keeps it" + silent)
            }
            // One that is to be connected to may not be there yet.
            guard let replication, left > 0 else { return ([], "no peer is connected that could be asked to keep it") }
            switch replication.phase {
            case .waiting(let error), .stopped(let error?): throw error
            case .stopped(nil): throw StoreError(.closed, "the store was closed; open it again")
            case .connecting, .connected: break
            }
            pause.wait(past: 0, milliseconds: 20)
            left -= 20
        }
    }
}
