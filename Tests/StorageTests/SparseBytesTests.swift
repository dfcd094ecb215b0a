import Storage
import Testing

@Suite struct SparseBytesTests {
    /// A plain array is the oracle.
    @Test func behavesAsAnArray() {
        var state: UInt64 = 3
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<50 {
            var bytes = SparseBytes()
            var oracle: [UInt8] = []
            for _ in 0..<40 {
                let offset = random(60_000)
                if random(4) == 0 {
                    bytes.truncate(to: offset)
                    oracle = Array(oracle.prefix(offset)) + [UInt8](repeating: 0, count: max(0, offset - oracle.count))
                } else {
                    let source = patternBytes(random(40_000) + 1).map { $0 ^ UInt8(offset & 0xFF) }
                    let copy = bytes
                    bytes.write(source.span, at: offset)
                    #expect(copy.contiguous() == oracle, "a copy is independent")
                    let end = offset + source.count
                    oracle += [UInt8](repeating: 0, count: max(0, end - oracle.count))
                    oracle.replaceSubrange(offset..<end, with: source)
                }
                #expect(bytes.count == oracle.count)
            }
            #expect(bytes.contiguous() == oracle)
        }
    }
}
