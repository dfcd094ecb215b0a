package import Transports

/// Two ends of one connection that is made, or about to be.
package final class ConnectedPair {
    package private(set) var near: (any ByteChannel)?
    package private(set) var far: (any ByteChannel)?
    private let cleanUp: () -> Void

    /// - Parameter cleanUp: Closes listeners and removes files; called at the end.
    package init(near: any ByteChannel, far: any ByteChannel, cleanUp: @escaping () -> Void = {}) {
        self.near = near
        self.far = far
        self.cleanUp = cleanUp
    }

    deinit { cleanUp() }

    /// The two ends, or the same two the other way around.
    package func ends(swapped: Bool) throws -> (ByteStream, ByteStream) {
        guard let near, let far else { throw ContractBreach("an end was let go of") }
        let ends = (try ByteStream(near), try ByteStream(far))
        return swapped ? (ends.1, ends.0) : ends
    }

    /// Lets go of one end as a process does that dies: without closing it.
    package func letGo(ofNear: Bool) {
        if ofNear { near = nil } else { far = nil }
    }
}
