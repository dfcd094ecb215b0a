// Invariants
// * What is copied was durable when the work began and does not change: segments before the noted end, stage files that
//   transactions before it name, blobs. What follows, and the watermarks, are not copied.
// * The draft is this copier's while it holds the draft's LOCK; its name is the destination's with `.backup-unfinished`.
// * Every file and directory in the draft is durable before the draft gets the destination's name.

import Storage

/// Makes a copy of a store that may be in use.
final class StoreCopier {
    private let source: StoreLayout
    private let destination: String
    private let draft: StoreLayout
    private let environment: Environment
    private let sizes: LogSizes
    private let progress: (UInt64, UInt64) throws -> Void
    private var result = LogBackup()
    private var total: UInt64 = 0

    private var fileSystem: any FileSystem { environment.fileSystem }

    init(
        from source: StoreLayout, to destination: String, in environment: Environment, sizes: LogSizes,
        progress: @escaping (UInt64, UInt64) throws -> Void
    ) {
        self.source = source
        // A trailing slash would put the draft inside.
        self.destination = Path.join(Path.parent(of: destination), Path.names(of: destination).last ?? "")
        draft = StoreLayout(root: self.destination + ".backup-unfinished")
        self.environment = environment
        self.sizes = sizes
        self.progress = progress
    }

    func run() throws -> LogBackup {
        while true {
            let before = try? fileSystem.readWhole(source.manifest, limit: 16 << 20)
            do {
                return try attempt()
            } catch let error as StorageError where error.code == .notFound {
                // Another process trimmed the log meanwhile; what it begins with now is copied.
                guard try before != fileSystem.readWhole(source.manifest, limit: 16 << 20) else { throw error }
            }
        }
    }

    private func attempt() throws -> LogBackup {
        result = LogBackup()
        try checkDestination()
        let identity = try EventLog.readIdentity(source, fileSystem)
        var tail = try LogTail.open(source, environment, identity: identity, for: .read, sizes: sizes)
        defer { tail.segment.file.close() }
        if let published = SharedState.published(in: source, fileSystem, boot: environment.host.boot) {
            try tail.follow(to: published)
        } else {
            try tail.follow()
        }
        let lock = try claimDraft()
        defer { lock.close() }
        do {
            try fill(tail, identity)
            try place()
        } catch {
            // Best effort: the error that counts is the first one, and the next backup to this place removes what is left.
            try? fileSystem.removeTree(draft.root)
            throw error
        }
        return result
    }

    private func checkDestination() throws {
        let names = Path.names(of: destination)
        let own = Path.names(of: source.root)
        guard !names.isEmpty, !names.starts(with: own) else {
            throw LogError(
                .alreadyExists, "a backup cannot lie in the store itself; choose another place", path: destination)
        }
        guard try fileSystem.isDirectory(Path.parent(of: destination)) else {
            throw LogError(
                .notFound, "the directory that is to hold the backup does not exist; create it first",
                path: Path.parent(of: destination))
        }
        guard let found = try fileSystem.attributes(of: destination) else { return }
        guard found.isDirectory, try fileSystem.list(destination).isEmpty else {
            throw LogError(
                .alreadyExists, "something is there already; choose another place for the backup, or remove it",
                path: destination)
        }
    }

    /// Makes the draft's directory, empty but for its LOCK, and keeps others out of it.
    private func claimDraft() throws -> any File {
        try fileSystem.createDirectory(draft.root)
        let lock = try fileSystem.open(draft.lock, .create)
        do {
            let before = try fileSystem.attributes(of: draft.lock)?.inode
            guard try lock.tryLock(), let before, try fileSystem.attributes(of: draft.lock)?.inode == before else {
                throw LogError(
                    .storage, "another backup to this place is under way; wait for it, or choose another place",
                    path: destination, underlying: StorageError(.locked, "lock", path: draft.lock))
            }
            for name in try fileSystem.list(draft.root) where name != "LOCK" {
                try fileSystem.removeTree(Path.join(draft.root, name))
            }
            try lock.sync()
            return lock
        } catch {
            lock.close()
            throw error
        }
    }

    private func fill(_ tail: LogTail, _ identity: StoreIdentity) throws {
        for directory in draft.directories { try fileSystem.createDirectory(directory) }
        let segments = try copies(of: tail)
        let stages = try stages(of: tail.state) + baselines(of: tail)
        // After the end was noted, so that every blob it refers to is there to be found.
        let blobs = try blobCount()
        total = segments.reduce(0) { $0 + $1.length } + stages.reduce(0) { $0 + $1.length } + blobs
        for segment in segments {
            try copy(segment)
            result.segments += 1
        }
        for stage in stages {
            try copy(stage)
            if stage.path.hasSuffix(".stage") { result.stages += 1 }
        }
        try copyBlobs()
        for directory in draft.directories { try fileSystem.syncDirectory(directory) }
        try writeSmallFiles(tail, identity)
        result.lastLSN = tail.position.lastLSN
    }

    /// Gives the draft the destination's name.
    private func place() throws {
        let parent = Path.parent(of: destination)
        if try fileSystem.attributes(of: destination) != nil { try fileSystem.removeDirectory(destination) }
        try fileSystem.rename(draft.root, to: destination)
        do {
            try fileSystem.syncDirectory(parent)
        } catch {
            // A name that could not be made durable may never be: take it back, whole.
            try fileSystem.rename(destination, to: draft.root)
            throw error
        }
        // It is done, whatever is thought of that.
        try? progress(total, total)
    }
}

// What is copied, and how.
extension StoreCopier {
    /// A file to copy: its first `length` bytes, the first of them replaced by `start`.
    private struct Piece {
        var path: String
        var target: String
        var length: UInt64
        var start: [UInt8] = []
    }

    private func copies(of tail: LogTail) throws -> [Piece] {
        var pieces: [Piece] = []
        let found = try fileSystem.list(source.log).compactMap { StoreLayout.parse(segment: $0) }
        for entry in found where (tail.manifest.firstOrdinal...tail.position.ordinal).contains(entry.ordinal) {
            let path = source.segment(ordinal: entry.ordinal, firstLSN: entry.firstLSN)
            let size = try fileSystem.attributes(of: path)?.size ?? 0
            var piece = Piece(
                path: path, target: draft.segment(ordinal: entry.ordinal, firstLSN: entry.firstLSN), length: size)
            if entry.ordinal == tail.position.ordinal {
                piece.length = tail.position.offset
                piece.start = closedStart(tail)
            } else if let end = tail.manifest.end(of: entry.ordinal)?.end {
                // A sealed segment may be listed too, when its maker died in between; its footer goes, and may.
                piece.length = min(size, end)
            }
            pieces.append(piece)
        }
        return pieces
    }

    /// The baselines that stand for what was before the first segment, or came from elsewhere.
    private func baselines(of tail: LogTail) throws -> [Piece] {
        var pieces: [Piece] = []
        for identity in tail.state.joined.map(\.identity) + [tail.manifest.baseline].compactMap(\.self) {
            let path = source.baseline(identity)
            guard let found = try fileSystem.attributes(of: path) else {
                // What came before the log was trimmed is in the baseline before the first segment.
                guard identity == tail.manifest.baseline else { continue }
                throw StorageError(.notFound, "copy", path: path)
            }
            pieces.append(Piece(path: path, target: draft.baseline(identity), length: found.size))
        }
        return pieces
    }

    /// What the last segment begins with when it was closed where the copy ends: header, and one watermark that says so.
    private func closedStart(_ tail: LogTail) -> [UInt8] {
        let mark = Watermark(
            isClean: true, counter: 1, end: tail.position.offset, lastLSN: tail.position.lastLSN, group: tail.position.group,
            link: tail.position.link, checkpoint: tail.state.checkpoint)
        var bytes = tail.segment.header.encode()
        bytes += [UInt8](repeating: 0, count: Int(SegmentFormat.framesStart) - bytes.count)
        let slot = Int(SegmentFormat.watermarkOffsets[1])
        bytes.replaceSubrange(slot..<slot + SegmentFormat.watermarkSize, with: mark.encode(salt: tail.segment.header.salt))
        return bytes
    }

    /// The stage files that transactions up to the end may refer to: told by origin and sequence.
    private func stages(of state: LogState) throws -> [Piece] {
        var pieces: [Piece] = []
        for name in try names(in: source.staged) {
            let parts = name.split(separator: "-")
            guard parts.count == 3, let origin = Digest128(parts[0]), let sequence = UInt64(parts[1], radix: 16) else {
                continue
            }
            let known = state.branches.branches(of: ReplicaID(origin))
            guard known.contains(where: { state.branches.branches[$0].last.sequence >= sequence }) else { continue }
            let path = Path.join(source.staged, name)
            guard let found = try fileSystem.attributes(of: path) else { continue }
            pieces.append(Piece(path: path, target: Path.join(draft.staged, name), length: found.size))
        }
        return pieces
    }

    private func blobCount() throws -> UInt64 {
        var bytes: UInt64 = 0
        try forEachBlob { _, piece in bytes += piece.length }
        return bytes
    }

    private func copyBlobs() throws {
        var made: [String] = []
        try forEachBlob { name, piece in
            let directory = Path.join(draft.blobs, name)
            if made.last != directory {
                try fileSystem.createDirectory(directory)
                made.append(directory)
            }
            do {
                try copy(piece)
                result.blobs += 1
            } catch let error as StorageError where error.code == .notFound && error.path == piece.path {
                // Evicted meanwhile, so it is elsewhere.
            }
        }
        for directory in made { try fileSystem.syncDirectory(directory) }
    }

    private func forEachBlob(_ body: (String, Piece) throws -> Void) throws {
        for directory in try names(in: source.blobs) where StoreLayout.isBlobDirectory(directory) {
            for name in try names(in: Path.join(source.blobs, directory)) where StoreLayout.parse(blob: name) != nil {
                let path = Path.join(source.blobs, directory) + "/" + name
                guard let found = try fileSystem.attributes(of: path), !found.isDirectory, !found.isSpecial else { continue }
                let target = Path.join(draft.blobs, directory) + "/" + name
                try body(directory, Piece(path: path, target: target, length: found.size))
            }
        }
    }

    private func names(in directory: String) throws(StorageError) -> [String] {
        do throws(StorageError) {
            return try fileSystem.list(directory)
        } catch {
            guard error.code == .notFound else { throw error }
            return []
        }
    }

    private func copy(_ piece: Piece) throws {
        let input = try fileSystem.open(piece.path, .read)
        defer { input.close() }
        let output = try fileSystem.open(piece.target, .createNew)
        defer { output.close() }
        var offset = UInt64(piece.start.count)
        if offset > 0 { try output.write(piece.start.span, at: 0) }
        while offset < piece.length {
            let buffer = try input.bytes(at: offset, count: Int(min(1 << 20, piece.length - offset)))
            let count = buffer.count
            // Padding behind the last group of a segment need not be in the file.
            guard count > 0 else { break }
            try output.write(buffer.span, at: offset)
            offset += UInt64(count)
            result.bytes += UInt64(count)
            try progress(min(result.bytes, total), total)
        }
        // A segment that may be written to has zeros behind its end.
        if !piece.start.isEmpty { try output.truncate(to: piece.length + SegmentFormat.groupAlignment) }
        try output.sync()
    }

    /// IDENTITY and MANIFEST of the copy.
    private func writeSmallFiles(_ tail: LogTail, _ identity: StoreIdentity) throws {
        try fileSystem.open(draft.next, .create).sync()
        var manifest = tail.manifest
        manifest.lastOrdinal = tail.position.ordinal
        manifest.ends.removeAll { $0.ordinal >= tail.position.ordinal }
        try fileSystem.replace(draft.manifest, with: manifest.encode())
        var identity = identity
        // No place on disk looks like this, so the copy is known for one wherever it is moved.
        identity.fingerprint = StoreIdentity.Fingerprint(
            lock: FileAttributes(), host: HostIdentity(machine: .zero, boot: .zero))
        try fileSystem.replace(draft.identity, with: identity.encode())
    }
}
