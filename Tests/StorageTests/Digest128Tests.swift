import Storage
import Testing

@Suite("Digest128")
struct Digest128Tests {
    let small = Digest128(high: 0, low: 1)
    let large = Digest128(high: UInt64.max, low: UInt64.max)

    @Test("prints 32 digits and reads them back in either case")
    func text() {
        let digest = Digest128(high: 0x0123_4567_89AB_CDEF, low: 0xF)
        #expect(digest.description == "0123456789abcdef000000000000000f")
        #expect(Digest128("0123456789ABCDEF000000000000000F") == digest)
    }

    @Test(
        "reads nothing else",
        arguments: [
            "", "0123", "0123456789abcdef000000000000000g", "+123456789abcdef0000000000000000",
            "0123456789abcdef0000000000000000f", "0123456789abcdef_00000000000000f",
        ])
    func malformed(text: String) {
        #expect(Digest128(text) == nil)
    }

    @Test("sums carry into the high word, wrap around, and are undone by differences")
    func sums() {
        #expect(Digest128(high: 0, low: UInt64.max) &+ small == Digest128(high: 1, low: 0))
        #expect(large &+ small == .zero)
        #expect(.zero &- small == large)
        #expect(Digest128(high: 1, low: 0) &- small == Digest128(high: 0, low: UInt64.max))
    }

    @Test("is ordered by the high word first")
    func order() {
        #expect(Digest128(high: 0, low: UInt64.max) < Digest128(high: 1, low: 0))
        #expect(small < Digest128(high: 0, low: 2))
        #expect(!(large < large))
    }
}
