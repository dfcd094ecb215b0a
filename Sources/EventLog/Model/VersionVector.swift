package import Storage

// Invariants
// * `entries` ascend by origin, without duplicates and without sequence 0: the order of all that is made from them.

/// Which transactions are meant: of each origin those up to a sequence, proved by the chain there.
public struct VersionVector: Hashable, Sendable, CustomStringConvertible {
    /// How far an origin is covered.
    public struct Entry: Hashable, Sendable {
        /// Who wrote the transactions; in a forked origin, the name of the branch.
        public let origin: ReplicaID
        /// The last transaction covered, from 1.
        public let sequence: UInt64
        package let chain: Digest128

        package init(origin: ReplicaID, sequence: UInt64, chain: Digest128) {
            self.origin = origin
            self.sequence = sequence
            self.chain = chain
        }
    }

    /// How two vectors stand to each other.
    public enum Order: Hashable, Sendable {
        case equal
        /// The other covers more, and all that this one does.
        case before
        /// This one covers more, and all that the other does.
        case after
        /// Each covers something that the other lacks.
        case concurrent
    }

    /// Ascending by origin.
    public private(set) var entries: [Entry] = []

    /// Covers nothing.
    public init() {}

    /// Takes the entries in any order; of several for one origin the highest.
    package init(_ entries: some Sequence<Entry>) {
        for entry in entries { advance(entry.origin, to: entry.sequence, chain: entry.chain) }
    }

    /// Takes entries that keep the invariants.
    init(ascending entries: [Entry]) { self.entries = entries }

    public var isEmpty: Bool { entries.isEmpty }

    /// The entry of an origin, nil when none of its transactions is covered.
    public subscript(origin: ReplicaID) -> Entry? {
        let place = place(of: origin)
        return place < entries.count && entries[place].origin == origin ? entries[place] : nil
    }

    /// The last sequence covered of an origin, 0 for none.
    public func sequence(of origin: ReplicaID) -> UInt64 { self[origin]?.sequence ?? 0 }

    /// Whether the transaction that created the object is covered.
    public func covers(_ object: ObjectID) -> Bool { sequence(of: object.replica) >= object.sequence }

    /// Whether every transaction that the other covers is covered, going by sequences alone.
    public func covers(_ other: VersionVector) -> Bool {
        switch compare(to: other) {
        case .equal, .after: true
        case .before, .concurrent: false
        }
    }

    /// How this vector stands to another, going by sequences alone; see ``forks(from:)``.
    public func compare(to other: VersionVector) -> Order {
        var hasMore = false
        var hasLess = false
        VersionVector.pairs(self, other) { own, their in
            let own = own?.sequence ?? 0
            let their = their?.sequence ?? 0
            hasMore = hasMore || own > their
            hasLess = hasLess || own < their
        }
        return switch (hasMore, hasLess) {
        case (false, false): .equal
        case (false, true): .before
        case (true, false): .after
        case (true, true): .concurrent
        }
    }

    /// The origins of which both cover the same sequence with different chains.
    public func forks(from other: VersionVector) -> [ReplicaID] {
        var forks: [ReplicaID] = []
        VersionVector.pairs(self, other) { own, their in
            guard let own, let their, own.sequence == their.sequence, own.chain != their.chain else { return }
            forks.append(own.origin)
        }
        return forks
    }

    /// Covers from now on what the other does too.
    public mutating func merge(_ other: VersionVector) {
        var merged: [Entry] = []
        merged.reserveCapacity(max(entries.count, other.entries.count))
        VersionVector.pairs(self, other) { own, their in
            guard let own else { return merged.append(contentsOf: [their].compactMap(\.self)) }
            guard let their, their.sequence > own.sequence else { return merged.append(own) }
            merged.append(their)
        }
        entries = merged
    }

    /// Covers from now on an origin up to `sequence`; what it covers already stays.
    package mutating func advance(_ origin: ReplicaID, to sequence: UInt64, chain: Digest128) {
        guard sequence > 0 else { return }
        let entry = Entry(origin: origin, sequence: sequence, chain: chain)
        let place = place(of: origin)
        if place == entries.count || entries[place].origin != origin {
            entries.insert(entry, at: place)
        } else if entries[place].sequence < sequence {
            entries[place] = entry
        }
    }

    /// `{<origin>: <sequence>, …}`, ascending.
    public var description: String {
        "{" + entries.map { "\($0.origin): \($0.sequence)" }.joined(separator: ", ") + "}"
    }

    /// Where the origin's entry is or would be.
    private func place(of origin: ReplicaID) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) >> 1
            if entries[middle].origin < origin { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Calls `body` for each origin of either, ascending.
    private static func pairs(_ a: VersionVector, _ b: VersionVector, _ body: (Entry?, Entry?) -> Void) {
        var left = 0
        var right = 0
        while left < a.entries.count || right < b.entries.count {
            let own = left < a.entries.count ? a.entries[left] : nil
            let their = right < b.entries.count ? b.entries[right] : nil
            if let own, their.map({ own.origin < $0.origin }) ?? true {
                body(own, nil)
                left += 1
            } else if let their, own.map({ their.origin < $0.origin }) ?? true {
                body(nil, their)
                right += 1
            } else {
                body(own, their)
                left += 1
                right += 1
            }
        }
    }
}
