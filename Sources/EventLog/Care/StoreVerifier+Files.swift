import Storage

// The small files, and the listing of the log.
extension StoreVerifier {
    /// A segment as its name tells.
    struct Entry {
        var ordinal: UInt64
        var firstLSN: UInt64
    }

    func checkIdentity() {
        do throws(LogError) {
            let bytes = try read(layout.identity, limit: 4096, orSay: "the store does not know who it is without IDENTITY")
            let identity = try StoreIdentity(bytes, path: layout.identity)
            (dataset, log) = (identity.dataset, identity.log)
            let attributes = try LogError.wrap { () throws(StorageError) in try fileSystem.attributes(of: layout.lock) }
            guard let attributes else {
                return problem(
                    layout.lock, nil, "LOCK is missing",
                    "make an empty file of that name; the store takes a new replica id then")
            }
            if identity.fingerprint != StoreIdentity.Fingerprint(lock: attributes, host: environment.host) {
                note(
                    layout.identity, nil, "the store was copied, restored, or moved to another machine",
                    "nothing to do: it takes a new replica id when it is opened for writing")
            }
        } catch {
            problem(error, in: layout.identity)
        }
    }

    private func read(_ path: String, limit: Int, orSay consequence: String) throws(LogError) -> [UInt8] {
        do throws(StorageError) {
            return try fileSystem.readWhole(path, limit: limit)
        } catch {
            if error.code == .notFound { throw LogError(.corrupt, "the file is missing: \(consequence)", path: path) }
            if error.code == .malformed { throw LogError(.corrupt, error.detail ?? "the file is too long", path: path) }
            throw LogError(error)
        }
    }

    private func readManifest() throws(LogError) -> Manifest {
        let bytes = try read(layout.manifest, limit: 16 << 20, orSay: "which segments belong to the log is not known")
        return try Manifest(bytes, path: layout.manifest)
    }

    /// The segments of the log, in order.
    func listSegments() -> [Entry] {
        var found: [Entry] = []
        do throws(LogError) {
            // A writer may begin a segment between the two looks.
            for _ in 0..<16 {
                found = try listLog()
                let manifest = try readManifest()
                self.manifest = manifest
                // Or trim the log.
                if let first = found.first, let last = found.last, last.ordinal >= manifest.lastOrdinal,
                    first.ordinal <= manifest.firstOrdinal
                {
                    break
                }
            }
        } catch {
            problem(error, in: layout.manifest)
        }
        if let manifest { checkManifest(manifest, found) }
        checkOrder(found)
        let first = manifest?.firstOrdinal ?? 0
        return found.filter { $0.ordinal >= first }
    }

    private func listLog() throws(LogError) -> [Entry] {
        try LogError.wrap { () throws(StorageError) in try fileSystem.list(layout.log) }
            .compactMap { StoreLayout.parse(segment: $0) }.map { Entry(ordinal: $0.ordinal, firstLSN: $0.firstLSN) }
    }

    private func checkManifest(_ manifest: Manifest, _ found: [Entry]) {
        if let log, manifest.log != log { problem(layout.manifest, nil, "the manifest belongs to another store") }
        let isSane = manifest.firstOrdinal > 0 && manifest.firstOrdinal <= manifest.lastOrdinal
        if !isSane { problem(layout.manifest, nil, "the manifest names no segments") }
        for end in manifest.ends {
            let isInside = (manifest.firstOrdinal...max(manifest.firstOrdinal, manifest.lastOrdinal)).contains(end.ordinal)
            if !isInside || end.end < SegmentFormat.framesStart || end.end % SegmentFormat.groupAlignment != 0 {
                problem(layout.manifest, nil, "the manifest ends segment \(end.ordinal) at \(end.end), where none can end")
            }
        }
        let own = found.filter { $0.ordinal >= manifest.firstOrdinal }
        if isSane, let first = own.first, first.ordinal > manifest.firstOrdinal {
            missing(manifest.firstOrdinal, first.ordinal - 1)
        }
        guard isSane, let last = own.last else {
            return isSane ? missing(manifest.firstOrdinal, manifest.lastOrdinal) : ()
        }
        if last.ordinal < manifest.lastOrdinal { missing(last.ordinal + 1, manifest.lastOrdinal) }
        if last.ordinal - 1 > manifest.lastOrdinal {
            problem(
                layout.segment(ordinal: last.ordinal, firstLSN: last.firstLSN), nil,
                "segment \(last.ordinal) is not in the manifest, which ends with \(manifest.lastOrdinal)")
        }
    }

    private func checkOrder(_ found: [Entry]) {
        for (before, after) in zip(found, found.dropFirst()) {
            if before.ordinal < manifest?.firstOrdinal ?? 0 { continue }
            if before.ordinal == after.ordinal {
                problem(layout.log, nil, "segment \(after.ordinal) is there twice", "remove the one that does not belong")
            } else if after.ordinal - before.ordinal > 1 {
                missing(before.ordinal + 1, after.ordinal - 1)
            }
        }
    }

    private func missing(_ first: UInt64, _ last: UInt64) {
        let what = first == last ? "segment \(first) is missing" : "segments \(first) to \(last) are missing"
        problem(layout.log, nil, what)
    }

    /// Bytes to be read, about.
    func measure(_ segments: [Entry]) -> UInt64 {
        var total: UInt64 = 0
        for entry in segments { total += size(layout.segment(ordinal: entry.ordinal, firstLSN: entry.firstLSN)) }
        for name in (try? fileSystem.list(layout.log)) ?? [] where StoreLayout.parse(baseline: name) != nil {
            total += size(Path.join(layout.log, name))
        }
        for name in (try? fileSystem.list(layout.staged)) ?? [] { total += size(Path.join(layout.staged, name)) }
        for directory in (try? fileSystem.list(layout.blobs)) ?? [] where StoreLayout.isBlobDirectory(directory) {
            let path = Path.join(layout.blobs, directory)
            for name in (try? fileSystem.list(path)) ?? [] { total += size(Path.join(path, name)) }
        }
        return total
    }

    private func size(_ path: String) -> UInt64 {
        guard let found = try? fileSystem.attributes(of: path), !found.isDirectory, !found.isSpecial else { return 0 }
        return found.size
    }
}
