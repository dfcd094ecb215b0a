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

    /// Where the log begins.
    struct Front: Sendable {
        var firstOrdinal: UInt64
        var firstLSN: UInt64 = 1
        /// What stands for what was before, and the state of the log there; nil as long as nothing was trimmed.
        var baseline: Digest128?
        var start: SegmentIndex?
    }

    private let layout: StoreLayout
    private let fileSystem: any FileSystem
    private let log: Digest128
    private let entries = Mutex<[Entry]>([])
    /// What the manifest says, and what identified the file that said it.
    private let known = Mutex<(file: FileAttributes, front: Front)?>(nil)
    /// State at the start of a segment, and its seeks if it is sealed.
    ///
    /// A state may have megabytes, and a search looks at a few.
    private let starts = Mutex(RecentCache<UInt64, SegmentIndex>(limit: 8))
    private let seeks = Mutex(RecentCache<UInt64, [SegmentIndex.Seek]>(limit: 64))

    init(layout: StoreLayout, fileSystem: any FileSystem, log: Digest128) {
        self.layout = layout
        self.log = log
        self.fileSystem = fileSystem
    }

    /// Where the log begins now: another process may have trimmed it.
    func front() throws(LogError) -> Front {
        while true {
            let found = try LogError.wrap { () throws(StorageError) in try fileSystem.attributes(of: layout.manifest) }
            if let found, let known = known.withLock({ $0 }), known.file.isSameFile(as: found) { return known.front }
            let manifest = try LogTail.readManifest(layout, fileSystem, log: log)
            var front = Front(firstOrdinal: manifest.firstOrdinal)
            if let baseline = manifest.baseline {
                entries.withLock { $0 = [] }
                guard let first = try listed(from: manifest.firstOrdinal).first, first.ordinal == manifest.firstOrdinal else {
                    // Trimmed again meanwhile, or it is missing, which reading it says.
                    let again = try LogTail.readManifest(layout, fileSystem, log: log)
                    guard again.firstOrdinal == manifest.firstOrdinal else { continue }
                    throw LogError(
                        .corrupt, "the first segment of the log is missing; \(LogError.restoration)", path: layout.log)
                }
                front.firstLSN = first.firstLSN
                front.baseline = baseline
                do throws(LogError) { front.start = try start(of: first) } catch {
                    guard error.code == .historyExpired else { throw error }
                    continue
                }
            }
            let (file, read) = (found, front)
            if let file { known.withLock { $0 = (file, read) } }
            return front
        }
    }

    /// All segments up to `ordinal`, ascending.
    func segments(through ordinal: UInt64) throws(LogError) -> [Entry] {
        let first = try front().firstOrdinal
        let known = entries.withLock { $0 }
        if let last = known.last, last.ordinal >= ordinal, known.first?.ordinal ?? .max <= first {
            return known.filter { $0.ordinal >= first && $0.ordinal <= ordinal }
        }
        // One that is being made may be taken back and made anew with another first LSN.
        let durable = try listed(from: first).filter { $0.ordinal <= ordinal }
        entries.withLock { $0 = durable }
        return durable
    }

    private func listed(from first: UInt64) throws(LogError) -> [Entry] {
        let names = try LogError.wrap { () throws(StorageError) in try fileSystem.list(layout.log) }
        let found = names.compactMap { StoreLayout.parse(segment: $0) }.map {
            Entry(ordinal: $0.ordinal, firstLSN: $0.firstLSN)
        }
        return found.filter { $0.ordinal >= first }
    }

    /// - Throws: `historyExpired` for a segment that was trimmed away meanwhile.
    func open(_ entry: Entry) throws(LogError) -> SegmentFile {
        do throws(LogError) {
            return try SegmentFile.open(
                layout.segment(ordinal: entry.ordinal, firstLSN: entry.firstLSN), for: .read, in: fileSystem)
        } catch {
            guard error.code == .corrupt, try LogTail.readManifest(layout, fileSystem, log: log).firstOrdinal > entry.ordinal
            else { throw error }
            throw LogError(
                .historyExpired, "the history was trimmed while it was read; begin from the state as it is now",
                path: layout.root)
        }
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

extension FileAttributes {
    /// Whether a file that is only ever replaced is still the one that had these.
    fileprivate func isSameFile(as other: FileAttributes) -> Bool {
        fileSystem == other.fileSystem && inode == other.inode && size == other.size && birth == other.birth
            && modification == other.modification
    }
}
