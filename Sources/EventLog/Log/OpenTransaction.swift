// Invariants
// * Belongs to the one thread that writes; ends exactly once, by `close` or `discard`.

package import Storage

/// A transaction that is being written.
///
/// Changes go in by ``add(part:)``, already encoded; see the builder of transactions.
package final class OpenTransaction {
    package let header: TransactionHeader
    /// Under which id this store wrote before, when this is the first transaction of a new one: to be recorded in it.
    package let former: ReplicaID?
    /// Where its origin stood when it began.
    let predecessor: BranchPosition
    private var collector: PartCollector
    private var isEnded = false

    init(_ header: TransactionHeader, collector: PartCollector, former: ReplicaID?) throws(LogError) {
        self.header = header
        self.former = former
        self.collector = collector
        predecessor = BranchPosition(sequence: collector.sequence - 1, chain: collector.previousChain)
        if header.isVoid { try self.collector.add(PartBytes(Self.void(header))) }
    }

    package var origin: ReplicaID { header.origin }

    /// The origin's chain after the transaction, as its parts so far make it.
    package var chain: Digest128 { collector.chain }

    /// The header with the chains that its parts give it: what is applied once all of them are in.
    package var appliedHeader: TransactionHeader {
        TransactionHeader(
            origin: header.origin, sequence: header.sequence, timestamp: header.timestamp, author: header.author,
            isVoid: header.isVoid, context: header.context, previousChain: predecessor.chain, chain: chain)
    }

    /// The next part of the transaction's bytes.
    package func add(part: [UInt8]) throws(LogError) { try collector.add(PartBytes(part)) }

    func close() throws(LogError) -> [PendingItem] {
        precondition(!isEnded, "a transaction ends once")
        isEnded = true
        return try collector.finish(on: BranchRoot(origin: header.origin))
    }

    func discard() {
        isEnded = true
        collector.discard()
    }

    /// The bytes of a void transaction: SPEC.md, section 3.1.
    private static func void(_ header: TransactionHeader) -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.u8(TransactionFormat.Flag.void)
        writer.u64(header.timestamp.rawValue)
        writer.string(header.author)
        writer.count(header.context.count)
        for entry in header.context { writer.context(entry) }
        for _ in 0..<3 { writer.u8(0) }
        return writer.bytes
    }
}
