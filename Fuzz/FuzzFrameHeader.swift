import EventLog
import Storage

/// Feeds arbitrary bytes to the reader of frame headers, as they are and with the checksum made right, which none guesses.
///
/// What is accepted must have lengths within bounds, and must be written as it was read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    check(input)
    guard input.count >= 64 else { return 0 }
    var writer = ByteWriter()
    writer.u64(Checksum.xxh3(input.span.extracting(0..<56), seed: 7))
    check(input[..<56] + writer.bytes)
    return 0
}

private func check(_ bytes: [UInt8]) {
    guard var header = FrameHeader(bytes, at: 0, salt: 7) else { return }
    precondition(header.logicalLength <= 16 << 20 && header.storedLength <= header.logicalLength, "a length out of bounds")
    var writer = ByteWriter()
    header.append(to: &writer, salt: 7)
    precondition(writer.bytes == Array(bytes[..<64]), "a header was read as another one")
}
