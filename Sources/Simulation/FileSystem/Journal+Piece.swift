import Storage

extension Journal.Change {
    /// The file whose bytes or length this changes; nil for names.
    var file: UInt64? {
        switch self {
        case .write(let file, _, _), .resize(let file, _): file
        case .enter, .leave, .move: nil
        }
    }

    /// The node that this gives a name.
    var number: UInt64? {
        switch self {
        case .enter(_, _, let number), .move(_, _, _, _, let number): number
        case .write, .resize, .leave: nil
        }
    }

    /// Whether this changes the names in `directory`.
    func names(_ directory: UInt64) -> Bool {
        switch self {
        case .enter(let changed, _, _), .leave(let changed, _): changed == directory
        case .move(let from, _, let to, _, _): from == directory || to == directory
        case .write, .resize: false
        }
    }

    /// The half of a move that syncing one of its two directories makes durable, and the other half.
    func split(by directory: UInt64) -> (now: Self, later: Self)? {
        guard case .move(let from, let name, let to, let newName, let number) = self, from != to else { return nil }
        let leave = Self.leave(directory: from, name: name)
        let enter = Self.enter(directory: to, name: newName, number: number)
        return directory == to ? (enter, leave) : (leave, enter)
    }
}

extension Journal.Piece {
    func apply(to tree: inout FileTree) {
        switch change {
        case .write(let file, let offset, let bytes):
            tree.write(bytes.span, to: file, at: offset)
            tree.stamp(file, at: time)
        case .resize(let file, let size):
            resize(file, to: size, in: &tree)
        case .enter(let directory, let name, let number):
            setEntry(name, in: directory, to: number, in: &tree)
        case .leave(let directory, let name):
            setEntry(name, in: directory, to: nil, in: &tree)
        case .move(let from, let name, let to, let newName, let number):
            setEntry(name, in: from, to: nil, in: &tree)
            setEntry(newName, in: to, to: number, in: &tree)
        }
    }

    /// As `apply`, with zeros for bytes that were not there before.
    func applyLength(to tree: inout FileTree) {
        guard case .write(let file, let offset, let bytes) = change else { return apply(to: &tree) }
        let size = tree.bytes(of: file)?.count ?? 0
        if size < offset + bytes.count { resize(file, to: offset + bytes.count, in: &tree) }
    }

    /// A name or a length happens or not; a write happens whole, not at all, or in some of its sectors, with its length or not.
    func applyTorn(to tree: inout FileTree, _ random: inout SplitMix64) {
        let fate = random.next() % 4
        guard case .write(let file, let offset, let bytes) = change, fate >= 2 else {
            return fate % 2 == 0 ? apply(to: &tree) : ()
        }
        if fate == 3 { applyLength(to: &tree) }
        var start = 0
        while start < bytes.count {
            let toBoundary = Self.sectorSize - (offset + start) % Self.sectorSize
            let end = min(bytes.count, start + toBoundary)
            if random.next() % 2 == 0 {
                tree.write(bytes.span.extracting(start..<end), to: file, at: offset + start)
                tree.stamp(file, at: time)
            }
            start = end
        }
    }

    /// What a device writes whole or not at all.
    private static let sectorSize = 512

    private func resize(_ file: UInt64, to size: Int, in tree: inout FileTree) {
        tree.updateBytes(of: file) { $0.truncate(to: size) }
        tree.stamp(file, at: time)
    }

    private func setEntry(_ name: String, in directory: UInt64, to number: UInt64?, in tree: inout FileTree) {
        tree.setEntry(name, in: directory, to: number)
        tree.stamp(directory, at: time)
    }
}
