import EventLog
import Projection

/// Feeds arbitrary text to the parser of predicates: what it accepts must print as a text that means the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    if let filter = try? Filter(text) {
        let again = try? Filter(filter.description)
        precondition(again?.description == filter.description, "a predicate does not survive its text")
    }
    return 0
}
