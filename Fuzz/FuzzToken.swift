import EventLog
import Storage

/// Feeds arbitrary bytes to the reader of history tokens, as text, as bytes, and with the checksum made right.
///
/// What is accepted must print as what it was read from.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    let text = String(decoding: input, as: UTF8.self)
    if let token = try? HistoryToken(text) {
        let again = try? HistoryToken(token.description)
        precondition(again == token, "a token does not survive its text")
    }
    check(input)
    var writer = ByteWriter()
    writer.raw(input)
    writer.u64(Checksum.xxh3(input.span))
    check(writer.bytes)
    return 0
}

private func check(_ bytes: [UInt8]) {
    guard let token = try? HistoryToken(bytes: bytes) else { return }
    let again = try? HistoryToken(token.description)
    precondition(again == token, "a token does not survive its text")
}
