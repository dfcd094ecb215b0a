/// Which users a Unix socket talks to: one's own, root, and those who are named.
package struct UnixPeers: Sendable {
    private let allowed: Set<UInt32>

    package init(allowed: Set<UInt32>) { self.allowed = allowed }

    /// The identity of whoever is at the other end.
    func check(_ socket: Descriptor, address: String) throws(TransportError) -> PeerIdentity {
        let identity = try Socket.peer(of: socket, address: address)
        guard case .user(let uid, _) = identity else { return identity }
        try check(uid: uid, own: Socket.user, identity, address: address)
        return identity
    }

    package func check(uid: UInt32, own: UInt32, _ identity: PeerIdentity, address: String) throws(TransportError) {
        guard uid == own || uid == 0 || allowed.contains(uid) else {
            throw TransportError(
                .notPermitted, address: address,
                "\(identity) is at the other end of \(address), which is for user \(own) and root; "
                    + "allow that user, or connect as one of these")
        }
    }
}
