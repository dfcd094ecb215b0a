package import EventLog
package import Storage
import Synchronization

// Invariants
// * A run that the manifest names is complete and durable, and stays until a manifest that does not name it is durable.
// * Only who holds the lock writes: a run, a manifest, or the removal of either. Readers need no lock: a run that is removed
//   stays readable for who has it open.
// * A run has a random number, so that none ever gets the name of another that somebody still has open.
// * All of it is derived from the log; nothing is lost with it.

/// The directory of a store's runs.
package final class ProjectionDirectory: Sendable {
    /// A projection as it was found.
    package struct Found: Sendable {
        package let generation: UInt64
        package let token: HistoryToken
        package let state: FoldState
        /// Nil where no origin had forked.
        package let names: NameResolver?
    }

    package let path: String
    package let cache: BlockCache
    private let fileSystem: any FileSystem
    private let random: any RandomSource
    private let lock = Mutex<(any File)?>(nil)

    package init(_ path: String, in environment: Environment, cacheBytes: Int) {
        self.path = path
        fileSystem = environment.fileSystem
        random = environment.random
        cache = BlockCache(budget: cacheBytes)
    }

    private var manifestPath: String { path + "/MANIFEST" }

    private func runPath(_ number: UInt64) -> String { "\(path)/\(Digest128.hex(number)).run" }

    /// The projection that the manifest tells of; nil when there is none.
    ///
    /// - Throws: an error with ``StorageError/isDamage`` when it cannot be used; any other when it cannot be read now.
    package func load() throws(StorageError) -> Found? {
        var attempts = 0
        while true {
            guard let manifest = try manifest() else { return nil }
            do throws(StorageError) {
                var members: [RunSet.Member] = []
                for member in manifest.members {
                    let run = try Run(fileSystem: fileSystem, path: runPath(member.number), cache: cache)
                    guard run.byteCount == member.byteCount else {
                        throw .malformed("it has \(run.byteCount) bytes and should have \(member.byteCount)", path: run.path)
                    }
                    guard run.checksum == member.checksum else {
                        throw .malformed("it is another run than the one that the manifest names", path: run.path)
                    }
                    members.append(RunSet.Member(run, keys: member.keys, superseded: member.superseded))
                }
                return Found(
                    generation: manifest.generation, token: manifest.token,
                    state: FoldState(manifest.frame, runs: RunSet(members), irregular: Set(manifest.irregular)),
                    names: manifest.names.isEmpty ? nil : try NameResolver(manifest.names))
            } catch {
                // Another process may have published and removed meanwhile; the next manifest names what is there.
                attempts += 1
                guard error.code == .notFound, attempts < 5 else { throw error }
            }
        }
    }

    /// The generation of the manifest; nil when there is none that can be used.
    package func generation() throws(StorageError) -> UInt64? {
        do throws(StorageError) { return try manifest()?.generation } catch {
            guard error.code == .malformed || error.code == .newerVersion else { throw error }
            return nil
        }
    }

    private func manifest() throws(StorageError) -> ProjectionManifest? {
        do throws(StorageError) {
            let bytes = try fileSystem.readWhole(manifestPath, limit: ProjectionManifest.maximumSize)
            return try ProjectionManifest(bytes, path: manifestPath)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }
}

// Writing.
extension ProjectionDirectory {
    /// Becomes the one who writes, if nobody else in any process is.
    package func tryLock() throws(StorageError) -> Bool {
        try fileSystem.createDirectories(path)
        let file = try fileSystem.open(path + "/LOCK", .create)
        guard try file.tryLock() else {
            file.close()
            return false
        }
        lock.withLock { $0 = file }
        return true
    }

    /// Lets others write.
    package func unlock() {
        lock.withLock { file in
            file?.close()
            file = nil
        }
    }

    /// Writes what a state has in memory as a run above those it has.
    ///
    /// The run is obsolete until it is published: it goes with the last one who uses it.
    ///
    /// - Returns: the runs that hold everything the state holds.
    package func flush(_ state: FoldState) throws(StorageError) -> RunSet {
        let below = state.objects.base as? RunSet ?? RunSet()
        if let failure = below.failure { throw failure }
        let stretches = state.objects.stretchesInMemory()
        guard !stretches.isEmpty else { return below }
        var members = below.members
        let (writer, path) = try newWriter()
        for stretch in RecordStretch.sorted(stretches) {
            switch stretch {
            case .rows(let rows, let range): try writer.append(rows, range, state.schema)
            case .single(let id, let held):
                if !held.isFirst, let (member, row) = try below.place(of: id) { members[member].superseded.insert(row) }
                if held.isImplied, state.covers(id) { continue }
                try writer.append(id, held, terms: RunTerms(held.terms(state.schema).hashes))
            }
        }
        _ = try writer.finish()
        members.append(try member(path, state.schema))
        return RunSet(members)
    }

    /// Merges the newest runs into one where there are many of about one size, and all where the unique keys have changed.
    ///
    /// So the number of runs grows with the logarithm of what they hold, and each row is written again as often as that.
    package func merge(_ runs: RunSet, _ schema: SchemaState, all: Bool = false) throws -> RunSet {
        let isRekeyed = runs.members.contains { $0.keys != schema.keySignature(of: $0.run.entities) }
        let first = all || isRekeyed ? 0 : Self.firstToMerge(runs)
        guard first < runs.members.count else { return runs }
        let (writer, path) = try newWriter()
        let sources = runs.members[first...].reversed().map { RunMerge.Source($0.run, excluded: $0.superseded) }
        if isRekeyed {
            try RunMerge(sources).write(to: writer) { _, record in RunTerms(FoldTerms(of: record, schema).hashes) }
            _ = try writer.finish()
        } else {
            try RunMerge(sources, fillsBlocks: all).write(to: writer)
        }
        return RunSet(runs.members[..<first] + [try member(path, schema)])
    }

    /// A writer of a run of a new name.
    func newWriter() throws(StorageError) -> (writer: RunWriter, path: String) {
        let path = runPath(random.next())
        return (try RunWriter(fileSystem: fileSystem, path: path), path)
    }

    /// The run that was written at a path, obsolete until it is published.
    func member(
        _ path: String, _ schema: SchemaState, superseded: RowMarks = RowMarks()
    ) throws(StorageError) -> RunSet.Member {
        let run = try Run(fileSystem: fileSystem, path: path, cache: cache)
        run.setObsolete(true)
        return RunSet.Member(run, keys: schema.keySignature(of: run.entities), superseded: superseded)
    }

    private static func firstToMerge(_ runs: RunSet) -> Int {
        let members = runs.members
        var first = members.count
        var bytes: UInt64 = 0
        while first > 0, bytes == 0 || members[first - 1].run.byteCount <= 2 * bytes {
            first -= 1
            bytes += members[first].run.byteCount
        }
        return members.count - first >= 4 ? first : members.count
    }

    /// Makes runs the projection that others find; those that the manifest no longer names go with their last user.
    ///
    /// - Parameters:
    ///   - state: has everything that the runs have and nothing in memory, and all of it is durable in the log.
    ///   - names: what named it, where an origin has forked.
    package func publish(
        _ runs: RunSet, of state: FoldState, named names: NameResolver?, token: HistoryToken, generation: UInt64
    ) throws {
        if let failure = runs.failure { throw failure }
        let members = try runs.members.map { member in
            guard let number = Self.number(of: member.run.path) else {
                throw StorageError.malformed("a run of another name", path: member.run.path)
            }
            return ProjectionManifest.Member(
                number: number, byteCount: member.run.byteCount, checksum: member.run.checksum, keys: member.keys,
                superseded: member.superseded)
        }
        let manifest = ProjectionManifest(
            generation: generation, token: token, frame: state.frame,
            irregular: (state.irregular?.ids ?? []).sorted(), names: names?.encode() ?? [], members: members)
        try fileSystem.replace(manifestPath, with: try manifest.encode())
        for member in runs.members { member.run.setObsolete(false) }
        for member in (state.objects.base as? RunSet)?.members ?? []
        where !runs.members.contains(where: { $0.run === member.run }) { member.run.setObsolete(true) }
    }

    /// Whether the files of all runs are there still; who has a run open can read one that is gone.
    package func hasFiles(of runs: RunSet) throws(StorageError) -> Bool {
        for member in runs.members where try fileSystem.attributes(of: member.run.path) == nil { return false }
        return true
    }

    /// Removes all runs but those that were just published: what the manifest named before, and what a process left that ended
    /// while it wrote.
    package func removeLeftovers(keeping runs: RunSet) throws(StorageError) {
        let kept = Set(runs.members.compactMap { Self.number(of: $0.run.path) })
        for name in try fileSystem.list(path) {
            guard let number = Self.number(of: name), !kept.contains(number) else { continue }
            try fileSystem.remove("\(path)/\(name)")
        }
    }

    private static func number(of path: String) -> UInt64? {
        let name = path.split(separator: "/").last ?? ""
        guard name.utf8.count == 20, name.hasSuffix(".run") else { return nil }
        return UInt64(name.dropLast(4), radix: 16)
    }
}

extension HeldRecord {
    /// Whether it says nothing that its creation's being applied does not say: the object was there, and is gone.
    fileprivate var isImplied: Bool {
        switch self {
        case .inserted, .row: false
        case .whole(let record): record.length == 2 && record.isSettled && record.current.isEmpty
        }
    }
}
