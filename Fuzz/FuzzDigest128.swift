import Storage

/// Feeds arbitrary text to the parser of ids: what it accepts must print as the same text in lower case.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    if let digest = Digest128(text) {
        precondition(digest.description == text.lowercased(), "an id was read as another one")
    }
    return 0
}
