// Invariants
// * Every number in a directory names a node. A node outside every directory is kept alive by whoever holds its number.
// * `time` grows with every change, and numbers are never used twice, so attributes are the same in every run.

/// Directories and files as a value: what is on a disk at one moment.
///
/// A copy is cheap and independent.
package struct FileTree: Sendable {
    package struct Node: Sendable {
        package var content: Content
        package var birth: UInt64
        package var change: UInt64
        package var modification: UInt64
    }

    package enum Content: Sendable {
        case file(SparseBytes)
        case directory([String: UInt64])
    }

    package var nodes: [UInt64: Node]
    /// Number of this file system, as attributes give it.
    package var fileSystem: UInt64
    /// The logical clock of attributes.
    package private(set) var time: UInt64 = 1
    private var lastNumber: UInt64 = FileTree.root

    package static let root: UInt64 = 1

    package init(fileSystem: UInt64 = 1) {
        self.fileSystem = fileSystem
        nodes = [Self.root: Node(content: .directory([:]), birth: 1, change: 1, modification: 1)]
    }

    // MARK: Paths

    /// The node at `path`, or nil.
    ///
    /// Throws `notDirectory` when a file is used as a directory.
    package func number(at path: String, _ operation: String) throws(StorageError) -> UInt64? {
        try Self.check(path, operation)
        return try walk(Path.names(of: path), path, operation)
    }

    /// The directory that holds `path`, and the last name.
    ///
    /// Throws `notFound` when the directory is missing.
    package func place(of path: String, _ operation: String) throws(StorageError) -> (directory: UInt64, name: String) {
        try Self.check(path, operation)
        var names = Path.names(of: path)
        guard let name = names.popLast() else {
            throw StorageError(.invalidPath, operation, path: path, detail: "the path names the root")
        }
        guard let directory = try walk(names, path, operation) else {
            throw StorageError(.notFound, operation, path: path)
        }
        guard case .directory = nodes[directory]?.content else {
            throw StorageError(.notDirectory, operation, path: path)
        }
        return (directory, name)
    }

    private func walk(_ names: [String], _ path: String, _ operation: String) throws(StorageError) -> UInt64? {
        var number = Self.root
        for name in names {
            guard case .directory(let entries) = nodes[number]?.content else {
                throw StorageError(.notDirectory, operation, path: path)
            }
            guard let next = entries[name] else { return nil }
            number = next
        }
        return number
    }

    private static func check(_ path: String, _ operation: String) throws(StorageError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StorageError(.invalidPath, operation, path: path, detail: "the path is empty or holds a NUL character")
        }
    }

    // MARK: Nodes

    package func entries(of directory: UInt64) -> [String: UInt64]? {
        guard case .directory(let entries) = nodes[directory]?.content else { return nil }
        return entries
    }

    package func bytes(of file: UInt64) -> SparseBytes? {
        guard case .file(let bytes) = nodes[file]?.content else { return nil }
        return bytes
    }

    package func attributes(of number: UInt64) -> FileAttributes? {
        guard let node = nodes[number] else { return nil }
        var attributes = FileAttributes(
            fileSystem: fileSystem, inode: number, birth: node.birth, change: node.change, modification: node.modification)
        switch node.content {
        case .file(let bytes): attributes.size = UInt64(bytes.count)
        case .directory: attributes.isDirectory = true
        }
        return attributes
    }

    /// Gives every name of a file with several a file of its own, as a repair of the file system would after a crash between the
    /// two halves of a rename: nodes here have one name.
    package mutating func separateNames() {
        var seen: Set<UInt64> = []
        for directory in nodes.keys.sorted() {
            for (name, number) in (entries(of: directory) ?? [:]).sorted(by: { $0.key < $1.key }) {
                guard !seen.insert(number).inserted, let node = nodes[number], case .file = node.content else { continue }
                lastNumber += 1
                nodes[lastNumber] = node
                guard case .directory(var entries)? = nodes[directory]?.content else { continue }
                entries[name] = lastNumber
                nodes[directory]?.content = .directory(entries)
            }
        }
    }

    /// Adds a node outside every directory; returns its number.
    package mutating func add(_ content: Content) -> UInt64 {
        lastNumber += 1
        let now = tick()
        nodes[lastNumber] = Node(content: content, birth: now, change: now, modification: now)
        return lastNumber
    }

    /// Sets or, with nil, removes an entry.
    ///
    /// Does nothing when `directory` is none.
    package mutating func setEntry(_ name: String, in directory: UInt64, to number: UInt64?) {
        let now = tick()
        update(directory, at: now) { content in
            // Taken out and put back, so that the dictionary is changed in place.
            guard case .directory(var entries) = content else { return }
            content = .directory([:])
            entries[name] = number
            content = .directory(entries)
        }
    }

    /// Changes the bytes of a file.
    ///
    /// Does nothing when `file` is none.
    package mutating func updateBytes(of file: UInt64, _ body: (inout SparseBytes) -> Void) {
        let now = tick()
        update(file, at: now) { content in
            guard case .file(var bytes) = content else { return }
            content = .file(SparseBytes())
            body(&bytes)
            content = .file(bytes)
        }
    }

    /// Writes at an offset.
    ///
    /// A span cannot be captured by the closure of `updateBytes`.
    package mutating func write(_ bytes: Span<UInt8>, to file: UInt64, at offset: Int) {
        let now = tick()
        guard case .file(var content) = nodes[file]?.content else { return }
        // Let go of the stored copy, so that writing changes the bytes in place.
        nodes[file]?.content = .file(SparseBytes())
        content.write(bytes, at: offset)
        nodes[file]?.content = .file(content)
        stamp(file, at: now)
    }

    /// Gives a node the times of the change that made it what it is.
    package mutating func stamp(_ number: UInt64, at time: UInt64) {
        nodes[number]?.change = time
        nodes[number]?.modification = time
    }

    private mutating func update(_ number: UInt64, at now: UInt64, _ body: (inout Content) -> Void) {
        guard var node = nodes.removeValue(forKey: number) else { return }
        body(&node.content)
        nodes[number] = node
        stamp(number, at: now)
    }

    private mutating func tick() -> UInt64 {
        time += 1
        return time
    }

    /// The numbers that can be reached from the root.
    package func reachable() -> Set<UInt64> { reachable(from: [Self.root]) }

    /// The numbers that can be reached from any of `roots`, themselves included.
    package func reachable(from roots: Set<UInt64>) -> Set<UInt64> {
        var found = roots
        var waiting = Array(roots)
        while let directory = waiting.popLast() {
            for number in (entries(of: directory) ?? [:]).values where found.insert(number).inserted {
                waiting.append(number)
            }
        }
        return found
    }

    /// Removes every node that cannot be reached.
    package mutating func removeUnreachable() {
        let kept = reachable()
        nodes = nodes.filter { kept.contains($0.key) }
    }

    /// Takes over the clock and the last number used, so that neither runs backwards after a copy.
    package mutating func continueCounting(after other: FileTree) {
        time = max(time, other.time)
        lastNumber = max(lastNumber, other.lastNumber)
    }

    /// The same names and bytes under new numbers and times, as a copy made by a program has.
    package func copied(fileSystem: UInt64) -> FileTree {
        var copy = FileTree(fileSystem: fileSystem)
        copy.time = time
        copy.lastNumber = lastNumber
        copy.nodes[Self.root] = nil
        var numbers: [UInt64: UInt64] = [Self.root: Self.root]
        for number in reachable().sorted() where number != Self.root { numbers[number] = copy.add(.file(SparseBytes())) }
        for (old, new) in numbers.sorted(by: { $0.key < $1.key }) {
            guard var node = nodes[old] else { continue }
            if case .directory(let entries) = node.content {
                node.content = .directory(entries.compactMapValues { numbers[$0] })
            }
            node.birth = copy.nodes[new]?.birth ?? copy.tick()
            node.change = node.birth
            copy.nodes[new] = node
        }
        return copy
    }
}
