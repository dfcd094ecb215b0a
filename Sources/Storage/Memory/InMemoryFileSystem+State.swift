extension InMemoryFileSystem.State {
    /// The number of the file at `path`, created as `mode` says.
    mutating func openNumber(_ path: String, _ mode: OpenMode) throws(StorageError) -> UInt64 {
        if let number = try tree.number(at: path, "open") {
            if mode.isExclusive { throw StorageError(.alreadyExists, "open", path: path) }
            guard tree.bytes(of: number) != nil else { throw StorageError(.isDirectory, "open", path: path) }
            return number
        }
        guard mode.creates else { throw StorageError(.notFound, "open", path: path) }
        let place = try tree.place(of: path, "open")
        let number = tree.add(.file(SparseBytes()))
        setEntry(place.name, in: place.directory, to: number)
        return number
    }

    /// Changes an entry and wakes those who watch the directory.
    mutating func setEntry(_ name: String, in directory: UInt64, to number: UInt64?) {
        tree.setEntry(name, in: directory, to: number)
        wakeWatchers(of: directory)
    }

    /// Forgets a file whose last name is gone, unless it is still open.
    mutating func discardIfUnused(_ number: UInt64) {
        guard handles[number] == nil else {
            orphans.insert(number)
            return
        }
        tree.nodes[number] = nil
        pages[number] = nil
        watchers[number] = nil
    }

    /// Ends one handle of a file.
    mutating func closeHandle(of number: UInt64) {
        guard let count = handles[number] else { return }
        handles[number] = count > 1 ? count - 1 : nil
        if count == 1, orphans.remove(number) != nil { discardIfUnused(number) }
    }

    func checkReplaceable(
        _ replaced: UInt64?, by number: UInt64, _ operation: String, _ path: String
    ) throws(StorageError) {
        guard let replaced else { return }
        switch (tree.entries(of: number), tree.entries(of: replaced)) {
        case (nil, nil): return
        case (nil, .some): throw StorageError(.isDirectory, operation, path: path)
        case (.some, nil): throw StorageError(.notDirectory, operation, path: path)
        case (.some, .some(let entries)):
            if !entries.isEmpty { throw StorageError(.directoryNotEmpty, operation, path: path) }
        }
    }

    /// Wakes those who watch any directory that names `file`.
    func wakeWatchers(ofDirectoriesNaming file: UInt64) {
        for directory in watchers.keys where tree.entries(of: directory)?.values.contains(file) == true {
            wakeWatchers(of: directory)
        }
    }

    private func wakeWatchers(of directory: UInt64) {
        for watcher in watchers[directory] ?? [] { watcher.watcher?.wake() }
    }
}

extension FileTree {
    /// Whether `path` leads through the directory `number`.
    func isInside(_ path: String, of number: UInt64, _ operation: String) throws(StorageError) -> Bool {
        var names = Path.names(of: path)
        while !names.isEmpty {
            names.removeLast()
            if try self.number(at: "/" + names.joined(separator: "/"), operation) == number { return true }
        }
        return false
    }
}
