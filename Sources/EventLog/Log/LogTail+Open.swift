import Storage

extension LogTail {
    /// Finds the last segment of a store and the state at the last index in it; reads no further.
    static func open(
        _ layout: StoreLayout, _ environment: Environment, identity: StoreIdentity, for mode: OpenMode,
        sizes: LogSizes
    ) throws(LogError) -> LogTail {
        try open(layout, environment, log: identity.log, dataset: identity.dataset, for: mode, sizes: sizes)
    }

    static func open(
        _ layout: StoreLayout, _ environment: Environment, log: Digest128, dataset: DatasetID, for mode: OpenMode,
        sizes: LogSizes
    ) throws(LogError) -> LogTail {
        let fileSystem = environment.fileSystem
        var (manifest, segments) = try consistent(layout, fileSystem, log: log)
        guard let last = segments.last else {
            throw LogError(.corrupt, "the log has no segments; restore the store from a backup", path: layout.log)
        }
        let path = layout.segment(ordinal: last.ordinal, firstLSN: last.firstLSN)
        let segment = try SegmentFile.open(path, for: mode, in: fileSystem)
        guard segment.header.ordinal == last.ordinal, segment.header.firstLSN == last.firstLSN else {
            throw LogError(.corrupt, "a segment's header and its name disagree", path: path)
        }
        guard segment.header.log == log, segment.header.dataset == dataset else {
            throw LogError(.corrupt, "a segment belongs to another store", path: path)
        }
        let isBehind = last.ordinal > manifest.lastOrdinal
        if isBehind { manifest.adopt(segment.header) }
        let state = try state(of: segment, dataset: dataset)
        var tail = LogTail(
            layout: layout, environment: environment, log: log, mode: mode, sizes: sizes, manifest: manifest,
            segment: segment, state: state)
        tail.isManifestBehind = isBehind
        return tail
    }

    /// The manifest and the segments that there are by it, though another process may trim the log between the two looks.
    static func consistent(
        _ layout: StoreLayout, _ fileSystem: any FileSystem, log: Digest128
    ) throws(LogError) -> (Manifest, [(ordinal: UInt64, firstLSN: UInt64)]) {
        while true {
            let manifest = try readManifest(layout, fileSystem, log: log)
            do throws(LogError) {
                return (manifest, try listSegments(layout, fileSystem, manifest: manifest))
            } catch {
                guard try readManifest(layout, fileSystem, log: log).firstOrdinal > manifest.firstOrdinal else { throw error }
            }
        }
    }

    static func readManifest(_ layout: StoreLayout, _ fileSystem: any FileSystem, log: Digest128) throws(LogError) -> Manifest {
        let bytes: [UInt8]
        do throws(StorageError) {
            bytes = try fileSystem.readWhole(layout.manifest, limit: 16 << 20)
        } catch {
            throw error.code == .notFound
                ? LogError(
                    .corrupt, "the manifest is missing; restore it from a backup or repair the store from a replica",
                    path: layout.manifest)
                : LogError(error)
        }
        let manifest = try Manifest(bytes, path: layout.manifest)
        guard manifest.log == log else {
            throw LogError(.corrupt, "the manifest belongs to another store", path: layout.manifest)
        }
        return manifest
    }

    /// The segments of the log in order; throws when one is missing.
    static func listSegments(
        _ layout: StoreLayout, _ fileSystem: any FileSystem, manifest: Manifest
    ) throws(LogError) -> [(ordinal: UInt64, firstLSN: UInt64)] {
        let names = try LogError.wrap { () throws(StorageError) in try fileSystem.list(layout.log) }
        let found = names.compactMap { StoreLayout.parse(segment: $0) }.filter { $0.ordinal >= manifest.firstOrdinal }
        var expected = manifest.firstOrdinal
        for segment in found {
            guard segment.ordinal == expected else {
                throw LogError(
                    .corrupt,
                    "segment \(expected) of the log is missing or there twice; restore it from a backup or repair the store from a replica",
                    path: layout.log)
            }
            expected += 1
        }
        guard expected > manifest.lastOrdinal, expected <= manifest.lastOrdinal + 2 else {
            throw LogError(
                .corrupt,
                "the log ends with segment \(expected - 1), and the manifest says \(manifest.lastOrdinal); restore the store from a backup",
                path: layout.log)
        }
        return found
    }

    /// The state at the last index of a segment that can be found without scanning: at its footer, its watermark, or its start.
    static func state(of segment: SegmentFile, dataset: DatasetID) throws(LogError) -> LogState {
        let places = [
            try LogError.wrap { () throws(StorageError) in try segment.footer()?.index }, segment.watermark?.checkpoint,
        ]
        for place in places.compactMap({ $0 }) + [SegmentFormat.framesStart] where place >= SegmentFormat.framesStart {
            guard
                let (index, header) = try LogError.damage(
                    in: segment.path, at: place,
                    { () throws(StorageError) in
                        try segment.index(at: place)
                    }),
                header.firstLSN >= segment.header.firstLSN
            else { continue }
            let end = place + UInt64(SegmentFormat.frameHeaderSize) + UInt64(header.storedLength)
            let position = LogPosition(
                ordinal: segment.header.ordinal, offset: SegmentFormat.align(end, to: SegmentFormat.groupAlignment),
                group: header.group, link: header.checksum, nextLSN: header.firstLSN)
            var state = LogState(dataset: dataset, position: position, branches: index.branches, clock: index.clock)
            state.seeks = index.seeks
            state.joined = index.joined
            state.checkpoint = place
            return state
        }
        throw LogError(
            .corrupt, "the first frame of the segment is damaged; restore it from a backup or repair the store from a replica",
            path: segment.path, offset: SegmentFormat.framesStart)
    }
}

extension Manifest {
    /// Takes in a segment that was made durable just before its maker died.
    ///
    /// What lies behind its predecessor's end is not of the log.
    mutating func adopt(_ header: SegmentHeader) {
        lastOrdinal = header.ordinal
        ends.removeAll { $0.ordinal == header.predecessor.ordinal }
        ends.append(End(ordinal: header.predecessor.ordinal, end: header.predecessor.end))
    }
}
