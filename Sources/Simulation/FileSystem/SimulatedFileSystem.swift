// Invariants
// * `live` is what programs see; `state.journal` is what the device holds and what is on its way there. Every change is made to
//   both under the lock of `state`.
// * Every call passes `perform`, which counts it, asks the faults, and refuses all once the power is cut.
// * The lock of `state` is taken before the lock of `live`, never the other way round; nothing waits under either.

public import Storage
import Synchronization

/// A file system in memory that can lose power, fail and lie, at any call.
///
/// It keeps two images: what programs see, and what the device holds. A sync moves one to the other; ``crash(keeping:)`` gives
/// a new file system with the second, and any part of what was on its way.
///
/// ```swift
/// let disk = SimulatedFileSystem()
/// disk.cutPower(at: 7)                                  // the eighth change and all later calls throw
/// try? writeSomething(to: disk)
/// for subset in UnsyncedSubset.every(of: disk.unsyncedCount) {
///     check(disk.crash(keeping: subset))
/// }
/// ```
public final class SimulatedFileSystem: FileSystem {
    struct State: Sendable {
        var journal: Journal
        var faults: [ArmedFault] = []
        var calls = 0
        var changes = 0
        var cutAt: Int?
        var isCut = false
        var clones: UInt64 = 0
    }

    let live: InMemoryFileSystem
    let state: Mutex<State>

    /// An empty root directory.
    public convenience init() { self.init(tree: FileTree()) }

    /// A device on which everything is durable.
    convenience init(tree: FileTree) { self.init(live: tree, journal: Journal(durable: tree)) }

    init(live tree: FileTree, journal: Journal) {
        live = InMemoryFileSystem(tree: tree)
        state = Mutex(State(journal: journal))
    }

    public func open(_ path: String, _ mode: OpenMode) throws(StorageError) -> any File {
        let file = try withState { (state) throws(StorageError) -> InMemoryFile in
            let isNew = (try? live.attributes(of: path)) == .some(nil) && mode.creates
            try state.perform(isNew ? .create : .open, "open", path)
            let file = try live.openFile(path, mode)
            if isNew { try recordEntry(path, &state, "open") }
            return file
        }
        return SimulatedFile(file: file, owner: self)
    }

    public func list(_ directory: String) throws(StorageError) -> [String] {
        try withState { (state) throws(StorageError) in try state.perform(.list, "list", directory) }
        return try live.list(directory)
    }

    public func createDirectory(_ path: String) throws(StorageError) {
        try withState { (state) throws(StorageError) in
            let isNew = (try? live.attributes(of: path)) == .some(nil)
            try state.perform(.createDirectory, "create directory", path, isChange: isNew)
            try live.createDirectory(path)
            if isNew { try recordEntry(path, &state, "create directory") }
        }
    }

    public func rename(_ path: String, to newPath: String) throws(StorageError) {
        let operation = "rename to \(newPath) the file"
        try withState { (state) throws(StorageError) in
            try state.perform(.rename, operation, path)
            let before = live.withTree { $0 }
            try live.rename(path, to: newPath)
            let from = try before.place(of: path, operation)
            let to = try before.place(of: newPath, operation)
            guard let number = before.entries(of: from.directory)?[from.name],
                before.entries(of: to.directory)?[to.name] != number
            else { return }
            state.journal.record(
                .move(from: from.directory, name: from.name, to: to.directory, newName: to.name, number: number),
                at: live.time)
        }
    }

    public func remove(_ path: String) throws(StorageError) {
        try removeEntry(path, "remove") { () throws(StorageError) in try live.remove(path) }
    }

    public func removeDirectory(_ path: String) throws(StorageError) {
        try removeEntry(path, "remove directory") { () throws(StorageError) in try live.removeDirectory(path) }
    }

    public func syncDirectory(_ path: String) throws(StorageError) {
        try withState { (state) throws(StorageError) in
            let number = try live.number(at: path, "sync directory")
            let isChange = number.map { state.journal.hasPieces(ofDirectory: $0) } ?? false
            if let fault = try state.firing(.syncDirectory, "sync directory", path, isChange: isChange) {
                if fault.effect == .losesUnsynced, let number { state.journal.lose(directory: number) }
                throw fault.error("sync directory", path)
            }
            try live.syncDirectory(path)
            guard let number, isChange else { return }
            state.journal.sync(directory: number)
            state.journal.removeGarbage(live: live.numbers)
        }
    }

    public func attributes(of path: String) throws(StorageError) -> FileAttributes? {
        let operation = "read the attributes of"
        try withState { (state) throws(StorageError) in try state.perform(.attributes, operation, path) }
        return try live.attributes(of: path)
    }

    public func sharedPage(_ path: String, words: Int) throws(StorageError) -> any SharedPage {
        try withState { (state) throws(StorageError) -> any SharedPage in
            try state.perform(.share, "map", path)
            let before = try live.attributes(of: path)
            let page = try live.sharedPage(path, words: words)
            if before == nil { try recordEntry(path, &state, "map") }
            if let after = try live.attributes(of: path), after.size > before?.size ?? 0 {
                state.journal.record(.resize(file: after.inode, size: Int(after.size)), at: live.time)
            }
            return page
        }
    }

    public func watch(_ directory: String) throws(StorageError) -> any DirectoryWatcher {
        try withState { (state) throws(StorageError) in try state.perform(.share, "watch", directory) }
        return try live.watch(directory)
    }

    private func removeEntry(
        _ path: String, _ operation: String, _ body: () throws(StorageError) -> Void
    ) throws(StorageError) {
        try withState { (state) throws(StorageError) in
            try state.perform(.remove, operation, path)
            let place = try live.withTree { $0 }.place(of: path, operation)
            try body()
            state.journal.record(.leave(directory: place.directory, name: place.name), at: live.time)
        }
    }

    /// Notes the new name of a node that the device has no room for yet.
    private func recordEntry(_ path: String, _ state: inout State, _ operation: String) throws(StorageError) {
        let tree = live.withTree { $0 }
        let place = try tree.place(of: path, operation)
        guard let number = tree.entries(of: place.directory)?[place.name] else { return }
        state.journal.addNode(number, from: tree)
        state.journal.record(.enter(directory: place.directory, name: place.name, number: number), at: tree.time)
    }

    func withState<Result: Sendable>(
        _ body: (inout State) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try state.withLock { (state) throws(StorageError) -> Result in try body(&state) }
    }
}

extension InMemoryFileSystem {
    var time: UInt64 { withTree { $0.time } }

    /// The numbers of all files and directories, open ones without a name included.
    var numbers: Set<UInt64> { withTree { Set($0.nodes.keys) } }

    func number(at path: String, _ operation: String) throws(StorageError) -> UInt64? {
        try withTree { $0 }.number(at: path, operation)
    }
}
