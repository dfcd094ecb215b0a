import EventLog
import Storage

// Import: files are taken as their beginnings become known, until nothing moves any more.
extension FolderExchange {
    /// Bytes of files that are taken in one turn of the store's writer, about.
    private static var turnSize: UInt64 { 4 << 20 }

    mutating func receive(_ steps: ExchangeSteps, _ report: inout ExchangeReport) throws {
        // Other processes may have written, or synced, since.
        try log.refresh()
        try fetchAwaited(&report)
        let catalog = try ExchangeCatalog(layout, in: fileSystem, dataset: log.dataset)
        report.skipped += catalog.skipped
        try noteAcknowledgements(catalog)
        var rest = catalog.entries
        // Each file is taken, or found unusable, once.
        var finished: Set<String> = []
        repeat {
            try receive(&rest, &finished, steps, &report)
        } while try joinBaselines(catalog, steps, &report)
        report.waiting += Set(rest.map(\.stretch)).count
    }

    /// Takes files until nothing moves any more; the rest waits.
    private mutating func receive(
        _ rest: inout [ExchangeEntry], _ finished: inout Set<String>, _ steps: ExchangeSteps, _ report: inout ExchangeReport
    ) throws {
        while true {
            let map = try map(rest)
            rest = map.unknown
            let total = finished.count + rest.count
            var round = ImportRound(map)
            while let group = round.group(upTo: Self.turnSize, fileSystem) {
                try take(group, &round, steps, &report)
                let progress = ExchangeProgress(
                    phase: .importing, done: finished.count + round.finished.count, total: total, report: report)
                try steps.progress(progress)
            }
            finished.formUnion(round.finished)
            rest.removeAll { round.finished.contains($0.path) }
            guard round.hasMoved else { break }
        }
    }

    /// Looks again for blobs that were not there; only what comes of it is reported.
    private mutating func fetchAwaited(_ report: inout ExchangeReport) throws {
        guard policy == .eager, !awaited.isEmpty else { return }
        var arriving = BlobImport(into: blobs, from: FolderBlobs(layout: layout, fileSystem: fileSystem))
        for reference in awaited.values.sorted(by: { $0.id < $1.id }) { try arriving.take(reference) }
        let missed = arriving.missed
        report.imported.add(try arriving.finish().imported)
        awaited = Dictionary(missed.map { ($0.id, $0) }) { first, _ in first }
    }

    /// What the log has of the files, with a look into the log where their names do not tell.
    mutating func map(_ entries: [ExchangeEntry]) throws -> StretchMap {
        let table = log.durableState.branches
        var map = StretchMap(entries, table: table)
        for (origin, position) in map.doubtful where map.isDoubtful(origin, position) {
            if let number = try branch(of: origin, holding: position, in: table) {
                map.settle(origin, position, on: number)
            }
        }
        return map
    }

    /// As the log says it, remembered.
    mutating func branch(
        of origin: ReplicaID, holding position: BranchPosition, in table: BranchTable
    ) throws(LogError) -> Int? {
        let key = Position(origin: origin, position: position)
        if let root = found[key], let number = table.number(of: root) {
            return table.continuation(of: number, at: position.sequence)
        }
        let number = try log.branch(of: origin, holding: position, in: table)
        if let number { found[key] = table.branches[number].root }
        return number
    }

    private mutating func take(
        _ group: [ExchangeEntry], _ round: inout ImportRound, _ steps: ExchangeSteps, _ report: inout ExchangeReport
    ) throws {
        // Blobs first, and not while the store's writer waits.
        var sound: [(entry: ExchangeEntry, stretch: Stretch)] = []
        for entry in group {
            do {
                sound.append((entry, try prepare(entry, &report)))
            } catch let damage as ExchangeDamage {
                round.dropped(entry)
                report.skip(damage, entry.path)
            }
        }
        guard !sound.isEmpty else { return }
        var receiver = TransactionReceiver(log)
        defer { report.add(receiver.report) }
        try steps.turn {
            do {
                for (entry, stretch) in sound {
                    do {
                        guard try transfer(entry, to: &receiver) else { continue }
                        round.took(entry, stretch)
                        report.imported.files += 1
                    } catch let damage as ExchangeDamage {
                        round.dropped(entry)
                        report.skip(damage, entry.path)
                    }
                }
                try receiver.flush()
            } catch {
                receiver.abandon()
                throw error
            }
        }
    }

    /// Checks a whole file, and takes the blobs that it names.
    private mutating func prepare(_ entry: ExchangeEntry, _ report: inout ExchangeReport) throws -> Stretch {
        guard try fileSystem.isPlainFile(entry.path) else { throw ExchangeDamage("it is no plain file, or gone again") }
        var reader = try ExchangeReader(entry.path, in: fileSystem, dataset: log.dataset)
        defer { reader.close() }
        var arriving = BlobImport(into: blobs, from: FolderBlobs(layout: layout, fileSystem: fileSystem))
        while let item = try reader.next() {
            // The reader checks the file to its end in any case.
            if policy != .eager { continue }
            switch item {
            case .batch(let batch, _):
                for (number, part) in batch.transactions.enumerated() {
                    try arriving.take(part, of: batch.origin, batch.firstSequence + UInt64(number))
                }
            case .part(let body, _): try arriving.take(body.part, of: body.origin, body.sequence)
            }
        }
        remember(arriving.missed)
        report.add(try arriving.finish())
        if reader.header.stretch != entry.stretch {
            report.skip(
                ExchangeDamage("it holds other transactions than its name says; they were taken all the same"), entry.path)
        }
        return reader.header.stretch
    }

    /// Hands the transactions of a file to the log.
    ///
    /// Returns whether they could be taken: not when others have to come before them.
    private func transfer(_ entry: ExchangeEntry, to receiver: inout TransactionReceiver) throws -> Bool {
        var reader = try ExchangeReader(entry.path, in: fileSystem, dataset: log.dataset)
        defer { reader.close() }
        do {
            while let item = try reader.next() {
                switch item {
                case .batch(let batch, let frame): try receiver.take(batch, as: frame)
                case .part(let body, let frame): try receiver.take(body, storedAs: frame.stored.count)
                }
            }
            return true
        } catch let error as LogError where error.code == .gap {
            return false
        } catch let error as LogError where error.code == .invalidTransaction {
            throw ExchangeDamage(error.message, at: reader.frameOffset)
        }
    }
}
