// Invariants
// * Entries ascend by ordinal and first LSN; an entry, once there, does not change but for being removed by a trim.

import Storage
import Synchronization

/// Which segments there are and how to start reading in them.
///
/// Looks at the directory only for segments it does not know.
final class SegmentCatalog: Sendable {
    struct Entry: Sendable, Equatable {
        var ordinal: UInt64
        var firstLSN: UInt64
    }

    private let layout: StoreLayout
    private let fileSystem: any FileSystem
    private let entries = Mutex<[Entry]>([])
    /// State at the start of a segment, and its seeks if it is sealed.
    ///
    /// A state may have megabytes, and a search looks at a few.
    private let starts = Mutex(RecentCache<UInt64, SegmentIndex>(limit: 8))
    private let seeks = Mutex(RecentCache<UInt64, [SegmentIndex.Seek]>(limit: 64))

    init(layout: StoreLayout, fileSystem: any FileSystem) {
        self.layout = layout
        self.fileSystem = fileSystem
    }

    /// All segments up to `ordinal`, ascending.
    func segments(through ordinal: UInt64) throws(LogError) -> [Entry] {
        let known = entries.withLock { $0 }
        if let last = known.last, last.ordinal >= ordinal { return known.filter { $0.ordinal <= ordinal } }
        let names = try LogError.wrap { () throws(StorageError) in try fileSystem.list(layout.log) }
        let found = names.compactMap { StoreLayout.parse(segment: $0) }.map {
            Entry(ordinal: $0.ordinal, firstLSN: $0.firstLSN)
        }
        // One that is being made may be taken back and made anew with another first LSN.
        let durable = found.filter { $0.ordinal <= ordinal }
        entries.withLock { $0 = durable }
        return durable
    }

    func open(_ entry: Entry) throws(LogError) -> SegmentFile {
        try SegmentFile.open(layout.segment(ordinal: entry.ordinal, firstLSN: entry.firstLSN), for: .read, in: fileSystem)
    }

    /// The state of the log where a segment begins.
    func start(of entry: Entry) throws(LogError) -> SegmentIndex {
        if let known = starts.withLock({ $0.find(entry.ordinal) }) { return known }
        let segment = try open(entry)
        defer { segment.file.close() }
        let found = try LogError.damage(in: segment.path, at: SegmentFormat.framesStart) { () throws(StorageError) in
            try segment.index(at: SegmentFormat.framesStart)
        }
        guard let found else {
            throw LogError(
                .corrupt, "the first frame of the segment is damaged; verify the store", path: segment.path,
                offset: SegmentFormat.framesStart)
        }
        let index = found.index
        starts.withLock { $0.insert(index, for: entry.ordinal) }
        return index
    }

    /// Where to start reading in a sealed segment; empty for one that is not.
    func seeks(of entry: Entry) throws(LogError) -> [SegmentIndex.Seek] {
        if let known = seeks.withLock({ $0.find(entry.ordinal) }) { return known }
        let segment = try open(entry)
        defer { segment.file.close() }
        let found = try LogError.damage(in: segment.path) { () throws(StorageError) in
            guard let footer = try segment.footer() else { return nil as [SegmentIndex.Seek]? }
            return try segment.index(at: footer.index)?.index.seeks
        }
        guard let found else { return [] }
        seeks.withLock { $0.insert(found, for: entry.ordinal) }
        return found
    }
}
