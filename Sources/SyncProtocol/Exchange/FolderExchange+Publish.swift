import EventLog
import Storage

// Publication: what no file covers yet, by whomever it was published.
extension FolderExchange {
    mutating func publish(verifying: Bool, _ steps: ExchangeSteps, _ report: inout ExchangeReport) throws {
        let catalog = try ExchangeCatalog(layout, in: fileSystem, dataset: log.dataset)
        let files = try map(verifying ? sound(catalog.entries, &report) : catalog.entries)
        let table = files.table
        let floor = try log.floor
        // What is in no file, in no baseline, and is kept here.
        let below = try coverage(by: catalog.baselines, &report)
        func missing(lacking: Bool) -> TransactionRanges {
            var covered = files.coverage(lacking: lacking)
            covered.form(union: below)
            var rest = covered.complement(in: table)
            if let floor { _ = rest.cut(below: floor, in: table) }
            return rest
        }
        let unpublished = missing(lacking: true)
        // Files that came without their blobs may be completed from here.
        let lacking = files.known.filter { $0.isLacking && !revisited.contains($0.path) }
        var wanted = unpublished
        if !lacking.isEmpty { wanted.form(union: missing(lacking: false)) }
        let lsn = log.durableState.position.lastLSN
        if !wanted.isEmpty {
            // The subfolder is that of the id the store has now: importing may have given it another.
            var publication = try Publication(
                log, blobs, layout, environment, wasPublished: { !unpublished.contains($0.sequence, of: $0.branch) })
            do {
                var reader = try MissingReader(
                    log, wanted, after: lacking.isEmpty && !verifying ? start(for: wanted, in: table, floor) : nil)
                while let transaction = try reader.next() {
                    if try publication.add(transaction) {
                        let soFar = report.adding(publication.report)
                        try steps.progress(
                            ExchangeProgress(
                                phase: .publishing, done: publication.report.published.files, total: 0, report: soFar))
                    }
                }
                try publication.finish()
            } catch {
                publication.discard()
                report.add(publication.report)
                throw error
            }
            report.add(publication.report)
        }
        revisited.formUnion(lacking.map(\.path))
        published = (lsn, table)
        let baselines = try publishBaselines(catalog, steps, &report)
        try acknowledge(catalog)
        try removeCovered(catalog, files, baselines, &report)
    }

    /// The files that are valid and hold what their names say.
    private func sound(_ entries: [ExchangeEntry], _ report: inout ExchangeReport) -> [ExchangeEntry] {
        // Those that the import could not use were reported by it.
        let known = Set(report.skipped.map(\.path))
        return entries.filter { entry in
            do throws(ExchangeDamage) {
                guard try fileSystem.isPlainFile(entry.path) else { return false }
                var reader = try ExchangeReader(entry.path, in: fileSystem, dataset: log.dataset)
                defer { reader.close() }
                while try reader.next() != nil {}
                return reader.header.stretch == entry.stretch
            } catch {
                if !known.contains(entry.path) { report.skip(error, entry.path) }
                return false
            }
        }
    }

    /// Where to begin reading: behind what was published the last time, when nothing before it is wanted.
    private func start(for wanted: TransactionRanges, in table: BranchTable, _ floor: LogFloor?) -> UInt64? {
        guard let published,
            published.branches.branches.map(\.root) == table.branches.prefix(published.branches.branches.count).map(\.root)
        else { return nil }
        for (branch, sequence) in wanted.firsts {
            guard let number = published.branches.number(of: branch) else {
                // A new origin is behind everything; a new branch of an old one holds what another had.
                if published.branches.branches(of: branch.origin).isEmpty { continue }
                return nil
            }
            if published.branches.branches[number].last.sequence >= sequence { return nil }
        }
        return max(published.lsn, floor?.frontLSN ?? 0)
    }
}
