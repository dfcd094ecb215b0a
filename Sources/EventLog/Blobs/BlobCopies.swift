import Storage

// Invariant: `peers` ascend by id, `policies` by name.

/// The contents of the file COPIES, what a store remembers of blobs in other places: SPEC.md, section 8.
package struct BlobCopies: Sendable, Equatable {
    package struct Peer: Sendable, Equatable {
        package let replica: ReplicaID
        /// When it was last heard of, in milliseconds since 1970.
        package var lastContact: UInt64
        /// Blobs that it said it has; a hint, for it may have lost them since.
        package var here = BlobKeys()
        /// Blobs that were promised to it: it may have none of its own.
        package var kept = BlobKeys()
    }

    static let mostKeys = 1 << 20
    static let mostPolicies = 4_096
    static let maximumSize = 256 << 20
    static let longestName = 4_096
    private static let magic = "STRDCOP1"

    /// Blobs that were removed here because they are elsewhere, and that are not to be fetched unless asked for.
    package var evicted = BlobKeys()
    package private(set) var peers: [Peer] = []
    private var policies: [(peer: String, policy: BlobPolicy)] = []

    init() {}

    package static func == (a: Self, b: Self) -> Bool {
        a.evicted == b.evicted && a.peers == b.peers && a.policies.elementsEqual(b.policies, by: ==)
    }

    /// Whether a blob was promised to a peer that is still to be reckoned with.
    package func isKept(_ id: BlobID, now: UInt64) -> Bool {
        peers.contains { !$0.hasLapsed(now: now) && $0.kept.contains(id) }
    }

    /// Peers that said they have a blob, and have been heard of in the last thirty days.
    package func holders(of id: BlobID, now: UInt64) -> [ReplicaID] {
        peers.filter { !$0.hasLapsed(now: now) && $0.here.contains(id) }.map(\.replica)
    }

    /// Changes what is known of a peer, which was heard of just now; lets go of those that have lapsed.
    package mutating func note(_ replica: ReplicaID, now: UInt64, _ change: (inout Peer) -> Void) {
        peers.removeAll { $0.hasLapsed(now: now) && $0.replica != replica }
        var peer = peers.first { $0.replica == replica } ?? Peer(replica: replica, lastContact: now)
        if peer.hasLapsed(now: now) { peer = Peer(replica: replica, lastContact: now) }
        peer.lastContact = now
        change(&peer)
        peer.here.cut(Self.mostKeys)
        peers.removeAll { $0.replica == replica }
        if peer.here.isEmpty, peer.kept.isEmpty { return }
        peers.insert(peer, at: peers.firstIndex { $0.replica > replica } ?? peers.count)
    }

    package mutating func forget(_ replica: ReplicaID) { peers.removeAll { $0.replica == replica } }

    package func policy(of peer: String) -> BlobPolicy? { policies.first { $0.peer == peer }?.policy }

    package mutating func setPolicy(_ policy: BlobPolicy, of peer: String) {
        policies.removeAll { $0.peer == peer }
        guard peer.utf8.count <= Self.longestName, policies.count < Self.mostPolicies else { return }
        policies.insert((peer, policy), at: policies.firstIndex { $0.peer > peer } ?? policies.count)
    }

    func encode() -> [UInt8] {
        ChecksummedFile.encode(magic: Self.magic) { writer in
            evicted.append(to: &writer)
            writer.count(peers.count)
            for peer in peers {
                writer.digest(peer.replica.bits)
                writer.u64(peer.lastContact)
                peer.here.append(to: &writer)
                peer.kept.append(to: &writer)
            }
            writer.count(policies.count)
            for (peer, policy) in policies {
                writer.string(peer)
                writer.u8(policy.rawValue)
            }
        }
    }

    init(_ bytes: [UInt8], path: String) throws(LogError) {
        var reader = try ChecksummedFile.open(bytes, magic: Self.magic, path: path)
        self = try LogError.damage(in: path) { () throws(StorageError) in
            var copies = BlobCopies()
            copies.evicted = try BlobKeys(from: &reader)
            for _ in 0..<(try reader.count(max: bytes.count, minimumSize: 26)) {
                var peer = Peer(replica: ReplicaID(try reader.digest()), lastContact: try reader.u64())
                peer.here = try BlobKeys(from: &reader)
                peer.kept = try BlobKeys(from: &reader)
                guard copies.peers.last.map({ $0.replica < peer.replica }) ?? true else {
                    throw reader.failure("peers that do not ascend")
                }
                copies.peers.append(peer)
            }
            for _ in 0..<(try reader.count(max: Self.mostPolicies, minimumSize: 2)) {
                let name = try reader.string(max: Self.longestName)
                guard let policy = BlobPolicy(rawValue: try reader.u8()), copies.policies.last.map({ $0.peer < name }) ?? true
                else { throw reader.failure("a policy for blobs that is none, or out of its order") }
                copies.policies.append((name, policy))
            }
            try reader.expectEnd()
            return copies
        }
    }
}

extension BlobCopies.Peer {
    func hasLapsed(now: UInt64) -> Bool { now > lastContact && now - lastContact > PeerRecord.patienceMilliseconds }
}
