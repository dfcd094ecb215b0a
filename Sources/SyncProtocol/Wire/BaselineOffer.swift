package import Storage

/// A baseline that a peer who lacks something below the floor is to take first: which one, and what its bodies must be.
package struct BaselineOffer: Hashable, Sendable {
    package var identity: Digest128
    /// Of its bodies, in order; the identity proves them.
    package var digests: [Digest128]

    package init(identity: Digest128, digests: [Digest128]) {
        self.identity = identity
        self.digests = digests
    }

    /// As much of an offer as a message tells.
    package struct Stretch: Hashable, Sendable {
        package var identity: Digest128
        /// Bodies of the whole baseline.
        package var bodies: Int
        /// Which one the first digest is of.
        package var first: Int
        package var digests: ArraySlice<Digest128>

        package init(identity: Digest128, bodies: Int, first: Int, digests: ArraySlice<Digest128>) {
            self.identity = identity
            self.bodies = bodies
            self.first = first
            self.digests = digests
        }

        var isLast: Bool { first + digests.count == bodies }
    }

    /// The messages that tell it.
    var stretches: [Stretch] {
        stride(from: 0, to: digests.count, by: WireFormat.digestsPerMessage).map { first in
            Stretch(
                identity: identity, bodies: digests.count, first: first,
                digests: digests[first..<min(first + WireFormat.digestsPerMessage, digests.count)])
        }
    }
}
