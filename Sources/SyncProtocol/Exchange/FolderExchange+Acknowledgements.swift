import EventLog
import Storage

// What everybody has: each replica tells it by a small file in its own subfolder.
extension FolderExchange {
    /// Takes note of what others have, for this folder and for whoever trims the log.
    mutating func noteAcknowledgements(_ catalog: ExchangeCatalog) throws {
        if told?.replica != log.replica { told = latest(of: log.replica, in: catalog) }
        for (replica, contact) in told?.contacts ?? [:] where contacts[replica] == nil { contacts[replica] = contact }
        let now = environment.clock.now()
        for replica in catalog.replicas where replica != log.replica {
            let newest = catalog.acknowledgements[replica]?.max() ?? 0
            if heard[replica]?.number != newest || newest == 0 { heard[replica] = latest(of: replica, in: catalog) }
            let number = heard[replica]?.number ?? 0
            guard contacts[replica]?.number != number else { continue }
            contacts[replica] = Acknowledgement.Contact(number: number, seen: now)
            guard let tips = heard[replica]?.tips else { continue }
            try log.acknowledge(
                peer: replica, name: "folder:\(layout.root)", log.durableState.branches.vector(of: tips))
        }
    }

    /// The last acknowledgement of a replica that can be read; an older one says less, and nothing wrong.
    private func latest(of replica: ReplicaID, in catalog: ExchangeCatalog) -> Acknowledgement? {
        for number in catalog.acknowledgements[replica]?.sorted(by: >) ?? [] {
            let path = Path.join(layout.directory(of: replica), ExchangeFormat.acknowledgementName(number))
            let found = try? Acknowledgement(path, number, of: replica, in: fileSystem, dataset: log.dataset)
            if let found { return found }
        }
        return nil
    }

    /// Tells what is here, when it is more than was told last, or that was a day ago.
    mutating func acknowledge(_ catalog: ExchangeCatalog) throws {
        let now = environment.clock.now()
        let replica = log.replica
        let tips = log.durableState.branches.tips
        // Of its own a replica has everything, which goes without saying.
        func others(_ tips: [Tip]) -> [Tip] { tips.filter { $0.origin != replica } }
        let numbers = catalog.acknowledgements[replica] ?? []
        if let told, told.replica == replica, others(told.tips) == others(tips), numbers.contains(told.number),
            now < told.time || now - told.time < Acknowledgement.interval
        {
            return
        }
        let number = max(told?.replica == replica ? told?.number ?? 0 : 0, numbers.max() ?? 0) + 1
        let present = Set(catalog.replicas)
        let acknowledgement = Acknowledgement(
            replica: replica, number: number, time: now, tips: tips, contacts: contacts.filter { present.contains($0.key) })
        let directory = try layout.prepare(replica, in: fileSystem)
        try environment.publish(
            acknowledgement.encode(log.dataset), as: ExchangeFormat.acknowledgementName(number), in: directory)
        told = acknowledgement
        for old in numbers where old < number {
            try remove(Path.join(directory, ExchangeFormat.acknowledgementName(old)))
        }
    }

    /// Removes own files whose transactions the log has let go of, once a baseline in the folder stands for them and every replica that
    /// lives has them; and own baselines that others have replaced.
    ///
    /// - Parameters:
    ///   - files: as they were, with what the log has of them.
    ///   - baselines: those that this log begins with, each of them whole in the folder.
    mutating func removeCovered(
        _ catalog: ExchangeCatalog, _ files: StretchMap, _ baselines: [BaselineEntry], _ report: inout ExchangeReport
    ) throws {
        guard let floor = try log.floor, floor.baselines.allSatisfy({ wanted in baselines.contains { $0.identity == wanted } })
        else { return }
        let below = try coverage(by: baselines, &report)
        let live = try livingReplicas(catalog)
        var isAnyGone = false
        for entry in files.known where entry.replica == log.replica {
            guard let place = files.place(of: entry.stretch), below.contains(place.sequence, of: place.branch),
                try live.allSatisfy({ try hasAcknowledged($0, entry.stretch, files) })
            else { continue }
            try remove(entry.path)
            isAnyGone = true
        }
        for old in catalog.baselines where old.replica == log.replica && !floor.baselines.contains(old.identity) {
            // Without its table nobody begins with it.
            if old.bodies > 0 { try remove(old.table) }
            for piece in old.pieces.sorted(by: { $0.lowerBound < $1.lowerBound }) { try remove(old.path(of: piece)) }
            tables[old.table] = nil
            isAnyGone = true
        }
        if isAnyGone { try fileSystem.syncDirectory(layout.directory(of: log.replica)) }
    }

    /// The others in the folder that were heard of within thirty days, and were not forgotten.
    private func livingReplicas(_ catalog: ExchangeCatalog) throws -> [ReplicaID] {
        let now = environment.clock.now()
        let known = Set(try log.peers.map(\.key))
        return catalog.replicas.filter { replica in
            guard replica != log.replica else { return false }
            if heard[replica] != nil, !known.contains(replica.description) { return false }
            guard let seen = contacts[replica]?.seen, now > seen else { return true }
            return now - seen <= PeerRecord.patienceMilliseconds
        }
    }

    /// Whether a replica has said that it has all of a file.
    private mutating func hasAcknowledged(_ replica: ReplicaID, _ stretch: Stretch, _ files: StretchMap) throws -> Bool {
        let tips = (heard[replica]?.tips ?? []).filter {
            $0.origin == stretch.origin && $0.position.sequence >= stretch.last
        }
        guard !tips.isEmpty, let place = files.place(of: stretch) else { return false }
        let table = files.table
        for tip in tips {
            guard let number = try branch(of: tip.origin, holding: tip.position, in: table) else { continue }
            if table.branches[table.holder(of: stretch.last, towards: number)].root == place.branch { return true }
        }
        return false
    }

    private func remove(_ path: String) throws(StorageError) {
        do throws(StorageError) {
            try fileSystem.remove(path)
        } catch {
            // Somebody else tidied up, or the program that mirrors the folder did.
            guard error.code == .notFound else { throw error }
        }
    }
}
