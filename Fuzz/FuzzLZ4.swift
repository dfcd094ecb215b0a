import Storage

/// Feeds arbitrary bytes to the decompressor: the first two are the claimed size, the rest the block.
///
/// It must refuse or give exactly the claimed size; what it accepts must survive being packed and unpacked again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard input.count >= 2 else { return 0 }
    let size = Int(input[0]) << 8 | Int(input[1])
    guard let unpacked = try? LZ4.decompress(input.span.extracting(droppingFirst: 2), size: size) else { return 0 }
    precondition(unpacked.count == size, "a block of another size was accepted")
    if let packed = LZ4.compress(unpacked.span) {
        let again = try? LZ4.decompress(packed.span, size: size)
        precondition(again == unpacked, "what was packed did not come back")
    }
    return 0
}
