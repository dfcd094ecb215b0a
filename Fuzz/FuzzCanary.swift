/// Traps on input that begins with "tide": a fuzzer that is built and steered as it should be finds that within seconds.
///
/// `scripts/fuzz` expects this one to fail.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard input.count >= 4 else { return 0 }
    // One comparison after the other, so that each byte guessed right opens a new branch.
    if input[0] == UInt8(ascii: "t") {
        if input[1] == UInt8(ascii: "i") {
            if input[2] == UInt8(ascii: "d") {
                precondition(input[3] != UInt8(ascii: "e"), "the canary was found")
            }
        }
    }
    return 0
}
