package import EventLog
import Storage

/// A batch, or a part of a large transaction, as it is stored: a relay passes on the compressed bytes untouched.
package struct PackedFrame: Hashable, Sendable {
    package var isCompressed: Bool
    /// Transactions in a batch; 0 for a part.
    package var transactions: Int
    package var logicalLength: Int
    package var stored: ArraySlice<UInt8>

    package init(_ frame: Frame) {
        isCompressed = frame.header.isCompressed
        transactions = Int(frame.header.transactions)
        logicalLength = Int(frame.header.logicalLength)
        stored = frame.stored
    }

    init(isCompressed: Bool, transactions: Int, logicalLength: Int, stored: ArraySlice<UInt8>) {
        self.isCompressed = isCompressed
        self.transactions = transactions
        self.logicalLength = logicalLength
        self.stored = stored
    }

    /// The frame, as a log takes it.
    package func frame(_ kind: FrameHeader.Kind) -> Frame {
        var header = FrameHeader(kind)
        header.isCompressed = isCompressed
        header.transactions = UInt32(transactions)
        header.logicalLength = UInt32(logicalLength)
        header.storedLength = UInt32(stored.count)
        header.bodyChecksum = Checksum.xxh3(Array(stored).span)
        return Frame(header: header, stored: stored)
    }
}
