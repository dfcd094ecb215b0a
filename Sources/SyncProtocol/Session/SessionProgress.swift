package import EventLog

/// What a session has done so far.
package struct SessionProgress: Sendable, Equatable {
    package var bytesSent: UInt64 = 0
    package var bytesReceived: UInt64 = 0
    package var transactionsSent = 0
    /// What became of the transactions that came.
    package var received = ReceivedTransactions()
    /// Bytes of transactions that came, compressed.
    package var transactionBytesReceived: UInt64 = 0
    /// Bytes of transactions that were sent, compressed.
    package var transactionBytesSent: UInt64 = 0
    package var baselinesReceived = 0
    package var baselineBytesReceived: UInt64 = 0
    package var baselineBytesSent: UInt64 = 0
    package var blobsSent = 0
    package var blobBytesSent: UInt64 = 0
    package var blobsReceived = 0
    package var blobBytesReceived: UInt64 = 0
    /// Blobs that the peer does not have.
    package var blobsElsewhere = 0

    package init() {}
}
