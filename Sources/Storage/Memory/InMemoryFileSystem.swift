// Invariants
// * All state is in `state`, under its lock; no call waits while it holds that lock.
// * A file lives while a directory names it or a handle is open. A handle of an earlier `epoch` is closed.
// * A lock belongs to one handle; it ends with `unlock`, the handle, or the epoch. Every end wakes `lockSignal`.
// * Words of a shared page belong to the file's number, so a page opened again after a removal is a new one. They live beside
//   the bytes of the file and are put over them when it is read or the tree is copied.
// * `orphans` are the open files that no directory names any more.

import Synchronization

/// A file system that lives in memory and ends with the last reference to it.
///
/// It keeps the contract of ``FileSystem`` in full, locks, shared pages and watchers included, and starts with an empty root
/// directory `/`. Attributes carry a logical time, so that runs repeat. Nothing is ever durable: ``File/sync()`` does nothing.
public final class InMemoryFileSystem: FileSystem {
    struct State: Sendable {
        var tree = FileTree()
        /// Open handles per file number.
        var handles: [UInt64: Int] = [:]
        var orphans: Set<UInt64> = []
        /// The handle that holds the lock, per file number.
        var locks: [UInt64: UInt64] = [:]
        var pages: [UInt64: SharedWords] = [:]
        var watchers: [UInt64: [WeakWatcher]] = [:]
        var lastHandle: UInt64 = 0
        var epoch = 0
    }

    let state: Mutex<State>
    let lockSignal = WakeSignal()

    public convenience init() { self.init(tree: FileTree()) }

    package init(tree: FileTree) {
        var state = State()
        state.tree = tree
        self.state = Mutex(state)
    }

    public func open(_ path: String, _ mode: OpenMode) throws(StorageError) -> any File {
        try openFile(path, mode)
    }

    /// As `open`, with the concrete type and thus the file's number.
    package func openFile(_ path: String, _ mode: OpenMode) throws(StorageError) -> InMemoryFile {
        try state.withLock { (state) throws(StorageError) -> InMemoryFile in
            let number = try state.openNumber(path, mode)
            state.handles[number, default: 0] += 1
            state.lastHandle += 1
            return InMemoryFile(
                path: path, number: number, handle: state.lastHandle, epoch: state.epoch, isWritable: mode != .read,
                owner: self)
        }
    }

    public func list(_ directory: String) throws(StorageError) -> [String] {
        let names = try state.withLock { (state) throws(StorageError) -> [String] in
            guard let number = try state.tree.number(at: directory, "list") else {
                throw StorageError(.notFound, "list", path: directory)
            }
            guard let entries = state.tree.entries(of: number) else {
                throw StorageError(.notDirectory, "list", path: directory)
            }
            return Array(entries.keys)
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    public func createDirectory(_ path: String) throws(StorageError) {
        let operation = "create directory"
        try state.withLock { (state) throws(StorageError) in
            if let existing = try state.tree.number(at: path, operation) {
                if state.tree.entries(of: existing) != nil { return }
                throw StorageError(.alreadyExists, operation, path: path)
            }
            let place = try state.tree.place(of: path, operation)
            let number = state.tree.add(.directory([:]))
            state.setEntry(place.name, in: place.directory, to: number)
        }
    }

    public func rename(_ path: String, to newPath: String) throws(StorageError) {
        let operation = "rename to \(newPath) the file"
        try state.withLock { (state) throws(StorageError) in
            let from = try state.tree.place(of: path, operation)
            guard let number = state.tree.entries(of: from.directory)?[from.name] else {
                throw StorageError(.notFound, operation, path: path)
            }
            let to = try state.tree.place(of: newPath, operation)
            let replaced = state.tree.entries(of: to.directory)?[to.name]
            if replaced == number { return }
            try state.checkReplaceable(replaced, by: number, operation, path)
            let isDirectory = state.tree.entries(of: number) != nil
            if isDirectory, try state.tree.isInside(newPath, of: number, operation) {
                throw StorageError(.other, operation, path: path, detail: "a directory cannot be moved into itself")
            }
            state.setEntry(from.name, in: from.directory, to: nil)
            state.setEntry(to.name, in: to.directory, to: number)
            if let replaced { state.discardIfUnused(replaced) }
        }
    }

    public func remove(_ path: String) throws(StorageError) {
        try removeEntry(path, "remove") { (state, number) throws(StorageError) in
            if state.tree.entries(of: number) != nil { throw StorageError(.isDirectory, "remove", path: path) }
        }
    }

    public func removeDirectory(_ path: String) throws(StorageError) {
        let operation = "remove directory"
        try removeEntry(path, operation) { (state, number) throws(StorageError) in
            guard let entries = state.tree.entries(of: number) else {
                throw StorageError(.notDirectory, operation, path: path)
            }
            if !entries.isEmpty { throw StorageError(.directoryNotEmpty, operation, path: path) }
        }
    }

    private func removeEntry(
        _ path: String, _ operation: String, check: (State, UInt64) throws(StorageError) -> Void
    ) throws(StorageError) {
        try state.withLock { (state) throws(StorageError) in
            let place = try state.tree.place(of: path, operation)
            guard let number = state.tree.entries(of: place.directory)?[place.name] else {
                throw StorageError(.notFound, operation, path: path)
            }
            try check(state, number)
            state.setEntry(place.name, in: place.directory, to: nil)
            state.discardIfUnused(number)
        }
    }

    public func syncDirectory(_ path: String) throws(StorageError) {
        _ = try list(path)
    }

    public func attributes(of path: String) throws(StorageError) -> FileAttributes? {
        try state.withLock { (state) throws(StorageError) -> FileAttributes? in
            try state.tree.number(at: path, "read the attributes of").flatMap { state.tree.attributes(of: $0) }
        }
    }

    public func sharedPage(_ path: String, words: Int) throws(StorageError) -> any SharedPage {
        precondition(words > 0 && words <= 1 << 20, "a shared page has between 1 and 2^20 words")
        return try state.withLock { (state) throws(StorageError) -> InMemorySharedPage in
            let number = try state.openNumber(path, .create)
            let size = words * MemoryLayout<UInt64>.size
            if let bytes = state.tree.bytes(of: number), bytes.count < size {
                state.tree.updateBytes(of: number) { $0.truncate(to: size) }
            }
            let page = state.pages[number] ?? SharedWords(of: state.tree.bytes(of: number) ?? SparseBytes())
            state.pages[number] = page
            page.grow(to: words)
            return InMemorySharedPage(words: words, memory: page)
        }
    }

    public func watch(_ directory: String) throws(StorageError) -> any DirectoryWatcher {
        try state.withLock { (state) throws(StorageError) -> InMemoryWatcher in
            guard let number = try state.tree.number(at: directory, "watch") else {
                throw StorageError(.notFound, "watch", path: directory)
            }
            guard state.tree.entries(of: number) != nil else {
                throw StorageError(.notDirectory, "watch", path: directory)
            }
            let watcher = InMemoryWatcher()
            state.watchers[number, default: []].removeAll { $0.watcher == nil }
            state.watchers[number, default: []].append(WeakWatcher(watcher))
            return watcher
        }
    }

    /// All files and directories as they are now, the words of shared pages in the bytes of their files.
    package var tree: FileTree {
        state.withLock { state in
            var tree = state.tree
            for (number, words) in state.pages {
                guard var bytes = tree.bytes(of: number) else { continue }
                bytes.write(words.bytes.span, at: 0)
                // Not a change of the file: its times stay.
                tree.nodes[number]?.content = .file(bytes)
            }
            return tree
        }
    }

    /// Looks at the files, or changes them behind the back of every handle.
    package func withTree<Result: Sendable>(_ body: (inout FileTree) -> Result) -> Result {
        state.withLock { body(&$0.tree) }
    }

    /// What the death of every process that uses this file system does: handles close, locks end, watchers stop.
    ///
    /// Files and
    /// shared pages stay.
    package func closeAllHandles() {
        let watchers = state.withLock { state in
            state.epoch += 1
            state.handles = [:]
            state.locks = [:]
            state.orphans = []
            state.tree.removeUnreachable()
            state.pages = state.pages.filter { state.tree.nodes[$0.key] != nil }
            defer { state.watchers = [:] }
            return state.watchers.values.flatMap { $0 }
        }
        for watcher in watchers { watcher.watcher?.cancel() }
        lockSignal.advance()
    }
}
