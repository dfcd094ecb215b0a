package import EventLog
package import Storage
import Synchronization

// Invariants
// * Everything but the mark of being obsolete is constant; the file never changes after it was finished.
// * Nothing that was read is used before its checksum was compared. Chunks in the cache were.
// Any thread may call anything.

/// A run file that is open: merged records of objects, found by id, by term, or in blocks of columns.
///
/// It is derived from the log. Whatever throws `malformed` here is damage, after which the caller rebuilds.
package final class Run: Sendable {
    package let path: String
    /// Bytes in the file.
    package let byteCount: UInt64
    /// Of the footer, which has that of the directory, which has those of everything else.
    package let checksum: UInt64
    /// How many records it has.
    package let count: Int
    let directory: RunDirectory
    let cache: BlockCache
    let number: UInt64
    private let fileSystem: any FileSystem
    private let file: any File
    private let filter: TermFilter
    private let isObsolete = Atomic(false)

    /// Reads the directory and the filter of terms.
    ///
    /// - Throws: `notFound`; `malformed` or `newerVersion` when it is no sound run.
    package init(fileSystem: any FileSystem, path: String, cache: BlockCache) throws(StorageError) {
        let file = try fileSystem.open(path, .read)
        let reader = RunFile(file: file, path: path)
        do throws(StorageError) {
            byteCount = try file.size()
            (directory, checksum) = try reader.directory(fileSize: byteCount)
            let terms = directory.terms
            filter =
                terms.count == 0
                ? TermFilter(count: 0)
                : try reader.decode(terms.filterPlace) { chunk throws(StorageError) in try TermFilter(chunk) }
        } catch {
            file.close()
            throw error
        }
        count = directory.rowCount
        self.fileSystem = fileSystem
        self.path = path
        self.file = file
        self.cache = cache
        number = cache.nextRun()
    }

    deinit {
        file.close()
        cache.removeAll(of: number)
        // Best effort: a file that stays is referred to by nothing, and goes when leftovers are removed.
        if isObsolete.load(ordering: .acquiring) { try? fileSystem.remove(path) }
    }

    /// Whether the file is removed when nobody uses this run any more.
    package func setObsolete(_ obsolete: Bool) { isObsolete.store(obsolete, ordering: .releasing) }

    /// Row numbers are below this; not every number below it is a row.
    package var rowLimit: Int { directory.blocks.count << RunFormat.rowShift }

    /// The entities it has living objects of, ascending.
    package var entities: [WireName] { directory.sections.compactMap(\.section.entity) }

    /// The properties that any object of an entity has here, ascending.
    package func properties(of entity: WireName) -> [Property] { section(of: entity)?.properties ?? [] }

    /// The blocks of an entity's living objects; ids ascend from block to block.
    package func blocks(of entity: WireName) -> [RunBlock] {
        guard let index = directory.sections.firstIndex(where: { $0.section.entity == entity }) else { return [] }
        return directory.sections[index].blocks.map { RunBlock(run: self, section: index, block: $0) }
    }

    func section(of entity: WireName) -> RunDirectory.Section? {
        directory.sections.first { $0.section.entity == entity }
    }

    var storage: RunFile { RunFile(file: file, path: path) }

    /// False when no row has the term.
    func mayHave(_ probe: TermFilter.Probe) -> Bool { filter.mayContain(probe) }
}
