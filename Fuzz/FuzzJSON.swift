import Interchange

/// Feeds arbitrary bytes to the parser of JSON: whole and byte by byte it must say the same, and what it accepts must survive being
/// written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    let whole = read(input) { _ in .max }
    precondition(read(input) { _ in 1 } == whole, "where the pieces end changes what is read")
    guard let whole else { return 0 }
    let sink = MemoryByteSink()
    var writer = JSONWriter(sink)
    guard (try? writer.write(whole)) != nil, (try? writer.finish()) != nil else { return 0 }
    precondition(read(sink.bytes) { _ in .max } != nil, "what was written is no JSON")
    return 0
}

private func read(_ bytes: [UInt8], _ pieces: @escaping (Int) -> Int) -> JSONValue? {
    var parser = JSONParser(MemoryByteSource(bytes, pieces: pieces))
    return try? parser.value()
}
