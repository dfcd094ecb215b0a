import EventLog
import Storage

/// Feeds arbitrary bytes to the decoder of transactions, and what it accepts to the builder, which must make the same changes of it.
///
/// One decoder for all inputs, so that the tables it keeps are tried as well.
nonisolated(unsafe) private var decoder = TransactionDecoder()
private let origin = ReplicaID(Digest128(high: 1, low: 2))

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    let part = PartBytes(input)
    _ = try? TransactionDecoder.header(of: part, origin: origin, sequence: 3)
    _ = unsafe try? decoder.blobs(of: part, origin: origin, sequence: 3)
    var changes: [Change] = []
    var fresh = TransactionDecoder()
    let isRead = (try? fresh.forEachChange(of: part, origin: origin, sequence: 3) { changes.append($0) }) != nil
    var again: [Change] = []
    let isReadAgain = unsafe (try? decoder.forEachChange(of: part, origin: origin, sequence: 3) { again.append($0) }) != nil
    precondition(isRead == isReadAgain && changes.count == again.count, "tables that were kept change what is read")
    return 0
}
