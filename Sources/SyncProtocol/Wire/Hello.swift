package import EventLog
import Storage

/// What a side says of itself before anything else.
package struct Hello: Hashable, Sendable {
    package struct Features: OptionSet, Hashable, Sendable {
        package let rawValue: UInt64
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// What this program can do.
        package static let all: Features = []
    }

    package struct Wishes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// To stay, and to hear of every commit.
        package static let live = Wishes(rawValue: 1)
        /// To be sent the blobs that transactions name.
        package static let blobs = Wishes(rawValue: 2)
    }

    package var versions = WireFormat.versions
    /// What the program can do, and what it cannot do without.
    package var features: Features = .all
    package var required: Features = []
    package var dataset: DatasetID
    /// The id under which the store writes.
    package var replica: ReplicaID
    /// A number for this connection: who meets its own is connected to itself.
    package var nonce: UInt64
    /// The wall clock, in milliseconds.
    package var clock: UInt64
    package var wishes: Wishes
    /// Bytes that the other side may send before it gets more credit.
    package var credit: UInt32
    /// What people call the replica.
    package var name: String

    package init(
        dataset: DatasetID, replica: ReplicaID, nonce: UInt64, clock: UInt64, wishes: Wishes, credit: UInt32, name: String
    ) {
        self.dataset = dataset
        self.replica = replica
        self.nonce = nonce
        self.clock = clock
        self.wishes = wishes
        self.credit = credit
        self.name = name
    }
}
