import EventLog
import Storage

/// Feeds arbitrary bytes to the readers of what a log says of itself: index, manifest, stage commit, control records, baseline.
///
/// What is accepted must survive being written again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    if let index = try? SegmentIndex(input) {
        let again = try? SegmentIndex(index.encode())
        precondition(again == index, "an index was read as another one")
    }
    if let commit = try? StageCommit(input) {
        let again = try? StageCommit(commit.encode())
        precondition(again == commit, "a stage commit was read as another one")
    }
    if let records = try? ControlRecord.decode(input) {
        let again = try? ControlRecord.decode(ControlRecord.encode(records))
        precondition(again == records, "control records were read as others")
    }
    if var baseline = try? BaselineReader(input) { while (try? baseline.next()) != nil {} }
    return 0
}
