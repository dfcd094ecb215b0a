// Invariants
// * `durable` plus all of `pieces`, in order, is the live tree, except for files in `lost`.
// * A node that a piece or a live file names exists in `durable.nodes`, reachable or not.
// * A piece leaves the list when it is applied to `durable` or lost, never otherwise.

import Storage

/// What a device holds, and what it has not been made to hold yet.
struct Journal: Sendable {
    struct Piece: Sendable {
        var change: Change
        /// The time the live tree gave the change.
        var time: UInt64
    }

    enum Change: Sendable {
        case write(file: UInt64, offset: Int, bytes: [UInt8])
        case resize(file: UInt64, size: Int)
        case enter(directory: UInt64, name: String, number: UInt64)
        case leave(directory: UInt64, name: String)
        /// A rename within or across directories; one step, unless one of two directories is synced alone.
        case move(from: UInt64, name: String, to: UInt64, newName: String, number: UInt64)
    }

    var durable: FileTree
    private(set) var pieces: [Piece] = []
    /// Files whose live bytes are not the durable ones plus the pieces, since a sync failed.
    private var lost: Set<UInt64> = []

    init(durable: FileTree) { self.durable = durable }

    mutating func record(_ change: Change, at time: UInt64) { pieces.append(Piece(change: change, time: time)) }

    /// Makes room on the device for a new file or directory; no name leads to it yet.
    mutating func addNode(_ number: UInt64, from live: FileTree) {
        guard var node = live.nodes[number] else { return }
        switch node.content {
        case .file: node.content = .file(SparseBytes())
        case .directory: node.content = .directory([:])
        }
        durable.nodes[number] = node
    }

    func hasPieces(ofFile file: UInt64) -> Bool { pieces.contains { $0.change.file == file } }

    func hasPieces(ofDirectory directory: UInt64) -> Bool { pieces.contains { $0.change.names(directory) } }

    mutating func sync(file: UInt64) {
        for piece in pieces where piece.change.file == file { piece.apply(to: &durable) }
        pieces.removeAll { $0.change.file == file }
    }

    mutating func sync(directory: UInt64) {
        var kept: [Piece] = []
        for var piece in pieces {
            if !piece.change.names(directory) {
                kept.append(piece)
            } else if let (now, later) = piece.change.split(by: directory) {
                // A file system may promise more; the contract promises only the names in the directory that is synced.
                Piece(change: now, time: piece.time).apply(to: &durable)
                piece.change = later
                kept.append(piece)
            } else {
                piece.apply(to: &durable)
            }
        }
        pieces = kept
    }

    /// A failed sync: the pieces are gone, and nobody notices until the cache is dropped.
    mutating func lose(file: UInt64) {
        guard hasPieces(ofFile: file) else { return }
        pieces.removeAll { $0.change.file == file }
        lost.insert(file)
    }

    mutating func lose(directory: UInt64) { pieces.removeAll { $0.change.names(directory) } }

    /// What the device would answer for a file that a failed sync left in doubt; nil for others.
    mutating func forgetCache(ofFile file: UInt64) -> SparseBytes? {
        guard lost.remove(file) != nil else { return nil }
        var tree = durable
        for piece in pieces where piece.change.file == file { piece.apply(to: &tree) }
        return tree.bytes(of: file)
    }

    /// Forgets nodes that no name, present or possible after a cut, and no live file leads to.
    mutating func removeGarbage(live: Set<UInt64>) {
        var roots = live
        for piece in pieces { if let number = piece.change.number { roots.insert(number) } }
        let kept = durable.reachable(from: roots.union([FileTree.root]))
        durable.nodes = durable.nodes.filter { kept.contains($0.key) }
        pieces.removeAll { $0.change.file.map { !kept.contains($0) } ?? false }
        lost.formIntersection(kept)
    }

    /// What a power cut leaves.
    func image(keeping subset: UnsyncedSubset) -> FileTree {
        var tree = durable
        var random = SplitMix64(seed: 0)
        if case .random(let seed) = subset { random = SplitMix64(seed: seed &+ 0x5EED) }
        for (index, piece) in pieces.enumerated() {
            switch subset {
            case .none: break
            case .all: piece.apply(to: &tree)
            case .prefix(let count): if index < count { piece.apply(to: &tree) }
            case .allBut(let excluded): if index != excluded { piece.apply(to: &tree) }
            case .only(let included): if index == included { piece.apply(to: &tree) }
            case .names: if piece.change.file == nil { piece.apply(to: &tree) }
            case .contents: if piece.change.file != nil { piece.apply(to: &tree) }
            case .namesAndLengths: piece.applyLength(to: &tree)
            case .random: piece.applyTorn(to: &tree, &random)
            }
        }
        tree.removeUnreachable()
        return tree
    }
}
