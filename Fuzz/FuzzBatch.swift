import EventLog
import Storage

/// Feeds arbitrary bytes to the readers of batches and of parts: what is accepted must be written as it was read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    if let batch = try? Batch(input) {
        precondition(batch.firstSequence > 0 && !batch.transactions.isEmpty, "an empty batch was accepted")
        // The chain is claimed, not computed, when it is read.
        if batch.isSound { precondition(batch.encode() == input, "a batch was read as another one") }
        for part in batch.transactions { _ = try? PartPreamble(part) }
    }
    if let body = try? PartBody(input) { precondition(body.encode() == input, "a part was read as another one") }
    return 0
}
