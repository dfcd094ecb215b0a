package import EventLog
import Storage

// Invariants
// * A branch's parent has a lower index. `parent` is nil for the branch that an origin began with.
// * Of the branches that share a fork, the one with the lowest chain there is the parent and keeps the name.

/// The branches of all origins and the names they go by (SPEC.md, section 5.8).
package struct BranchNames: Hashable, Sendable {
    package struct Named: Hashable, Sendable {
        package var branch: BranchRoot
        package var parent: Int?
        package var name: ReplicaID
    }

    package private(set) var branches: [Named] = []
    private var byName: [ReplicaID: Int] = [:]
    /// Per branch, where others leave it.
    private var leaves: [Int: [UInt64]] = [:]

    package init() {}

    /// The name of a branch of `origin` that has not arrived, or of which it is not known which it is.
    ///
    /// No object has it.
    static func unresolved(_ origin: ReplicaID, sequence: UInt64, chain: Digest128) -> ReplicaID {
        var bytes = DigestBytes()
        for byte in "strandline-unresolved-1".utf8 { bytes.add(byte) }
        bytes.add(origin.bits)
        bytes.add(sequence)
        bytes.add(chain)
        return ReplicaID(bytes.digest)
    }

    /// Whether any origin is forked.
    ///
    /// Without a fork every id is its own name.
    package var areForked: Bool { branches.contains { $0.name != $0.branch.origin } }

    mutating func add(_ branch: BranchRoot, parent: Int?, name: ReplicaID) -> Int {
        branches.append(Named(branch: branch, parent: parent, name: name))
        byName[name] = branches.count - 1
        if let parent { leaves[parent, default: []].append(branch.firstSequence) }
        return branches.count - 1
    }

    func index(named name: ReplicaID) -> Int? { byName[name] }

    /// The name under which the transaction `sequence` on the path to a branch is known.
    func name(at sequence: UInt64, on index: Int) -> ReplicaID {
        var index = index
        while sequence < branches[index].branch.firstSequence, let parent = branches[index].parent { index = parent }
        return branches[index].name
    }

    /// Whether another branch leaves this one at or below a sequence.
    func isLeft(_ index: Int, upTo sequence: UInt64) -> Bool { leaves[index]?.contains { $0 <= sequence } ?? false }
}
