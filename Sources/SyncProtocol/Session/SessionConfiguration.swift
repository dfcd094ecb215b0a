package import EventLog

/// What a session is to do, and its limits.
package struct SessionConfiguration: Sendable {
    package var dataset: DatasetID
    package var replica: ReplicaID
    /// What people call this replica.
    package var name: String
    /// Whether to stay when both sides have everything.
    package var isLive: Bool
    /// Which blobs are fetched from the peer.
    package var blobs: BlobPolicy
    /// A number for the connection.
    package var nonce: UInt64
    /// The wall clock at the beginning, in milliseconds.
    package var wallClock: UInt64

    /// Bytes of bulk messages that may be under way to this side.
    package var window = 4 << 20
    /// Bytes that may wait to be sent before more is read from the log.
    package var outputLimit = 1 << 20

    /// Milliseconds: for the greeting; without a byte before a ping; without a byte, or for one message, before the end.
    package var greetingTimeout: UInt64 = 10_000
    package var pingInterval: UInt64 = 20_000
    package var silenceTimeout: UInt64 = 60_000

    package init(
        dataset: DatasetID, replica: ReplicaID, name: String, isLive: Bool, blobs: BlobPolicy, nonce: UInt64, wallClock: UInt64
    ) {
        self.dataset = dataset
        self.replica = replica
        self.name = name
        self.isLive = isLive
        self.blobs = blobs
        self.nonce = nonce
        self.wallClock = wallClock
    }
}
