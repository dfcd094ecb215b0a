import Storage

// What nobody refers to, and the blobs.
extension StoreVerifier {
    private static let names: Set<String> = [
        "LOCK", "NEXT", "IDENTITY", "MANIFEST", "SHARED", "log", "staged", "blobs", "quarantine", "tmp", "runs", "logs",
        "arriving", "device", "PEERS", "COPIES",
    ]

    /// Notes files that are no part of the log.
    func listLeftovers(ordinals first: UInt64) {
        for name in list(layout.root) where !Self.names.contains(name) {
            let what = name.hasSuffix(".tmp") ? "an unfinished file" : "not a file of a store"
            note(Path.join(layout.root, name), nil, what, "remove it if you know what it is; it is never looked at")
        }
        for name in list(layout.log) {
            if let baseline = StoreLayout.parse(baseline: name) {
                guard let knownBaselines, !knownBaselines.contains(baseline) else { continue }
                note(
                    Path.join(layout.log, name), nil, "a baseline that the log does not refer to",
                    "nothing to do: it goes when the store is opened for writing")
                continue
            }
            guard let entry = StoreLayout.parse(segment: name) else {
                note(
                    Path.join(layout.log, name), nil, "not a segment", "remove it if you know what it is; it is never looked at"
                )
                continue
            }
            if entry.ordinal < first {
                note(
                    Path.join(layout.log, name), nil, "a segment from before the log",
                    "nothing to do: it goes when the store is opened for writing")
            }
        }
        for name in list(layout.staged) where !knownStages.contains(name) {
            if name.hasSuffix(".part") {
                note(
                    Path.join(layout.staged, name), nil, "a baseline that was not received to its end",
                    "nothing to do: it is gone on with, or remove it when nobody is syncing")
                continue
            }
            note(
                Path.join(layout.staged, name), nil, "no transaction in the log names this file",
                "remove it when nobody is writing to the store")
        }
        for name in list(layout.quarantine) {
            note(
                Path.join(layout.quarantine, name), nil, "bytes that an earlier recovery took out of the log",
                "keep them until nothing is missed")
        }
        let unfinished = list(layout.temporary).count
        if unfinished > 0 {
            note(
                layout.temporary, nil, "\(unfinished) unfinished files",
                "nothing to do: they go when the store is opened after a restart")
        }
    }

    private func list(_ directory: String) -> [String] {
        do throws(StorageError) {
            return try fileSystem.list(directory)
        } catch {
            // Opening makes what is missing; the log's own directory was missed before.
            if error.code != .notFound { problem(error, in: directory) }
            return []
        }
    }

    /// Counts the blobs that nothing names; only where all that might name one was read.
    func listOrphans() throws {
        guard report.isSound, !isAnythingUnread else { return }
        let store = BlobStore(layout, in: environment, concurrently: false)
        do throws(LogError) {
            for entry in try store.list() where !named.contains(entry.id.high.high) {
                report.orphans += 1
                report.orphanBytes += entry.length
            }
        } catch {
            problem(error, in: layout.blobs)
        }
        guard report.orphans > 0 else { return }
        note(
            layout.blobs, nil, "\(report.orphans) blobs with \(report.orphanBytes) bytes that nothing names any more",
            "nothing to do: 'compact' removes those that are older than a day")
    }

    /// Hashes the blobs that are here.
    func checkBlobs() throws {
        let store = BlobStore(layout, in: environment, concurrently: false)
        var seen: UInt64 = 0
        var stop: (any Error)?
        do {
            let found = try store.verify { _, bytes in
                do { try advance(bytes - seen) } catch {
                    stop = error
                    throw error
                }
                seen = bytes
            }
            report.blobs = found.files
            for damage in found.damaged {
                let what =
                    damage.failure?.description
                    ?? "the bytes are not those of the blob, but of \(damage.actual?.description ?? "none")"
                problem(
                    damage.path, nil, what,
                    "remove the file, then sync with a replica that has the blob, or restore it from a backup")
            }
            for path in found.misplaced {
                note(
                    path, nil, "a blob in the wrong directory, where nobody looks",
                    "move it to the directory of its first two digits")
            }
            for path in found.unknown {
                note(path, nil, "not a blob", "remove it if you know what it is; it is never looked at")
            }
        } catch {
            if let stop { throw stop }
            problem(error as? LogError ?? LogError(.storage, "\(error)"), in: layout.blobs)
        }
    }
}
