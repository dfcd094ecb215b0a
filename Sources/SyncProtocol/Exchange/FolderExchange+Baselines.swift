import EventLog
import Storage

// Baselines: what stands in the folder for transactions that are not kept any more.
extension FolderExchange {
    /// Milliseconds after which a baseline that could not be joined is tried again.
    private static let refusalTime: UInt64 = 60_000

    /// Takes baselines that tell of what is neither here nor, in order, in the folder's files; whether any was joined.
    mutating func joinBaselines(
        _ catalog: ExchangeCatalog, _ steps: ExchangeSteps, _ report: inout ExchangeReport
    ) throws -> Bool {
        var isJoined = false
        // The furthest first: it makes others known.
        let told = catalog.baselines.compactMap { entry in table(of: entry, &report).map { (entry, $0) } }
            .sorted { a, b in reach(a.1) > reach(b.1) }
        for (entry, table) in told {
            guard try !map(table.stretches(entry, dataset: log.dataset)).unknown.isEmpty else { continue }
            let now = environment.clock.now()
            if let refusal = refused[entry.identity], now >= refusal, now - refusal < Self.refusalTime { continue }
            guard let row = entry.row else {
                report.waiting += 1
                continue
            }
            if try join(entry, row, table, steps, &report) { isJoined = true }
        }
        return isJoined
    }

    private func reach(_ table: BaselineTable) -> UInt64 { table.tips.reduce(0) { $0 &+ $1.position.sequence } }

    /// What is told of a baseline, read once.
    mutating func table(of entry: BaselineEntry, _ report: inout ExchangeReport) -> BaselineTable? {
        if let known = tables[entry.table] { return known }
        guard entry.bodies > 0 else { return nil }
        do throws(ExchangeDamage) {
            let table = try BaselineTable(entry, in: fileSystem, dataset: log.dataset)
            tables[entry.table] = table
            return table
        } catch {
            report.skip(error, entry.table)
            return nil
        }
    }

    private mutating func join(
        _ entry: BaselineEntry, _ row: [ClosedRange<Int>], _ table: BaselineTable, _ steps: ExchangeSteps,
        _ report: inout ExchangeReport
    ) throws -> Bool {
        var receiver: BaselineReceiver
        do throws(LogError) {
            receiver = try BaselineReceiver(log, identity: entry.identity, digests: table.digests)
        } catch {
            // Another process takes it at the moment.
            guard error.underlying?.code == .locked else { throw error }
            report.waiting += 1
            return false
        }
        do {
            guard try receive(entry, row, by: &receiver, steps, &report) else {
                receiver.pause()
                return false
            }
            let references = try receiver.verify()
            if policy == .eager { try take(blobs: references, &report) }
        } catch let error as LogError where error.refusesBaseline {
            return refuse(entry, error, &receiver, &report)
        } catch {
            receiver.pause()
            throw error
        }
        var isJoined = false
        var refusal: LogError?
        try steps.turn {
            do throws(LogError) {
                isJoined = try receiver.finish()
            } catch {
                guard error.refusesBaseline else { throw error }
                refusal = error
            }
        }
        if let refusal { return refuse(entry, refusal, &receiver, &report) }
        if isJoined { report.imported.baselines += 1 }
        return isJoined
    }

    /// Reads the pieces that have not come yet; whether all is here now.
    private func receive(
        _ entry: BaselineEntry, _ row: [ClosedRange<Int>], by receiver: inout BaselineReceiver, _ steps: ExchangeSteps,
        _ report: inout ExchangeReport
    ) throws -> Bool {
        for (index, piece) in row.enumerated() where !receiver.has(piece.upperBound) {
            do {
                var reader = try BaselinePieceReader(entry, piece, in: fileSystem, dataset: log.dataset)
                defer { reader.close() }
                while let (number, frame) = try reader.next() {
                    do throws(LogError) {
                        try receiver.add(number, frame)
                    } catch {
                        guard error.code == .invalidTransaction else { throw error }
                        throw ExchangeDamage(error.message, at: reader.frameOffset)
                    }
                    report.imported.bytes += UInt64(frame.stored.count)
                }
                report.imported.files += 1
            } catch let damage as ExchangeDamage {
                // It may be whole the next time; what has come is kept.
                report.skip(damage, entry.path(of: piece))
                return false
            }
            try steps.progress(
                ExchangeProgress(phase: .importing, done: index + 1, total: row.count, report: report))
        }
        return receiver.next == nil
    }

    /// Takes blobs before what names them is part of the log.
    private mutating func take(blobs references: [BlobReference], _ report: inout ExchangeReport) throws {
        var arriving = BlobImport(into: blobs, from: FolderBlobs(layout: layout, fileSystem: fileSystem))
        for reference in references { try arriving.take(reference) }
        remember(arriving.missed)
        report.add(try arriving.finish())
    }

    private mutating func refuse(
        _ entry: BaselineEntry, _ error: LogError, _ receiver: inout BaselineReceiver, _ report: inout ExchangeReport
    ) -> Bool {
        report.skip(ExchangeDamage("the baseline was not joined: \(error.message)"), entry.table)
        refused[entry.identity] = environment.clock.now()
        receiver.discard()
        return false
    }

    /// What the baselines of the folder that are whole stand for.
    mutating func coverage(by entries: [BaselineEntry], _ report: inout ExchangeReport) throws -> TransactionRanges {
        var stretches: [ExchangeEntry] = []
        for entry in entries where entry.isWhole {
            stretches += table(of: entry, &report)?.stretches(entry, dataset: log.dataset) ?? []
        }
        return try map(stretches).coverage(lacking: true)
    }

    /// Publishes the baselines that this log begins with, unless the folder has them; those that are in the subfolder now.
    ///
    /// - Parameter catalog: as of before.
    mutating func publishBaselines(
        _ catalog: ExchangeCatalog, _ steps: ExchangeSteps, _ report: inout ExchangeReport
    ) throws -> [BaselineEntry] {
        guard let floor = try log.floor else { return [] }
        let whole = catalog.baselines.filter { $0.isWhole && floor.baselines.contains($0.identity) }
        guard !floor.baselines.allSatisfy({ wanted in whole.contains { $0.identity == wanted } }) else { return whole }
        var made = whole
        for file in try log.baselineFiles where !whole.contains(where: { $0.identity == file.identity }) {
            let begun = catalog.baselines.first { $0.identity == file.identity && $0.replica == log.replica }
            var publication = try BaselinePublication(log, blobs, layout, environment, begun)
            defer { report.add(publication.report) }
            made.append(
                try publication.publish(file) { done, total in
                    try steps.progress(ExchangeProgress(phase: .publishing, done: done, total: total, report: report))
                })
        }
        return made
    }
}

extension LogError {
    /// Whether a baseline does not fit, rather than the store fails.
    fileprivate var refusesBaseline: Bool {
        switch code {
        case .forked, .invalidTransaction, .historyExpired, .gap, .wrongDataset, .unsupportedVersion: true
        default: false
        }
    }
}
