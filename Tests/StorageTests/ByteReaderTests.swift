import Storage
import Testing

@Suite struct ByteReaderTests {
    private func code<Value>(_ bytes: [UInt8], _ read: (inout ByteReader) throws(StorageError) -> Value) -> StorageError.Code? {
        var reader = ByteReader(bytes)
        do throws(StorageError) {
            _ = try read(&reader)
            return nil
        } catch {
            #expect(reader.position == 0, "a failed read leaves the position")
            #expect(error.offset == 0)
            return error.code
        }
    }

    @Test func roundTrips() throws {
        var writer = ByteWriter()
        writer.u8(0xAB)
        writer.u16(0x1234)
        writer.u32(0xDEAD_BEEF)
        writer.u64(0x0123_4567_89AB_CDEF)
        writer.string("Zürich 🏔")
        writer.digest(Digest128(high: 1, low: 2))
        writer.raw([9, 8, 7].span)
        writer.raw([9, 8, 7][1...])
        writer.pad(to: 16)
        #expect(writer.count % 16 == 0)
        #expect(Array(writer.bytes.prefix(7)) == [0xAB, 0x34, 0x12, 0xEF, 0xBE, 0xAD, 0xDE])

        var reader = ByteReader(writer.bytes)
        #expect(try reader.u8() == 0xAB)
        #expect(try reader.u16() == 0x1234)
        #expect(try reader.u32() == 0xDEAD_BEEF)
        #expect(try reader.u64() == 0x0123_4567_89AB_CDEF)
        #expect(try reader.string(max: 100) == "Zürich 🏔")
        #expect(try reader.digest() == Digest128(high: 1, low: 2))
        #expect(try reader.bytes(3) == [9, 8, 7])
        var part = try reader.subReader(2)
        #expect(try part.u16() == 0x0708)
        #expect(part.isAtEnd)
        #expect(throws: StorageError.self) { try part.u8() }
        #expect(try reader.bytes(reader.remaining).allSatisfy { $0 == 0 })
        try reader.expectEnd()
    }

    @Test func digestsAreBigEndian() {
        var writer = ByteWriter()
        writer.digest(Digest128(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10))
        #expect(writer.bytes == Array(1...16))
    }

    @Test func varintsRoundTripInTheirShortestForm() throws {
        var values: [UInt64] = [0, 1, 127, 128, 300, .max, .max - 1]
        for bit in 0..<64 { values += [1 << bit, (1 << bit) - 1, (1 << bit) + 1] }
        for value in values {
            var writer = ByteWriter()
            writer.varint(value)
            #expect(writer.count == max(1, (64 - value.leadingZeroBitCount + 6) / 7))
            var reader = ByteReader(writer.bytes)
            #expect(try reader.varint() == value)
            try reader.expectEnd()
            for length in 0..<writer.count {
                #expect(code(Array(writer.bytes.prefix(length))) { (r) throws(StorageError) in try r.varint() } == .malformed)
            }
        }
    }

    @Test func zigzagRoundTrips() throws {
        for value in [0, -1, 1, -2, 63, -64, 64, .max, .min] as [Int64] {
            var writer = ByteWriter()
            writer.zigzag(value)
            var reader = ByteReader(writer.bytes)
            #expect(try reader.zigzag() == value)
        }
        var writer = ByteWriter()
        for value in [0, -1, 1, -2] as [Int64] { writer.zigzag(value) }
        #expect(writer.bytes == [0, 1, 2, 3])
    }

    @Test(
        arguments: [
            [0x80, 0x00],
            [0xFF, 0x80, 0x00],
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
            [0x80], [],
        ] as [[UInt8]]) func refusesVarints(_ bytes: [UInt8])
    {
        #expect(code(bytes) { (reader) throws(StorageError) in try reader.varint() } == .malformed)
        #expect(code(bytes) { (reader) throws(StorageError) in try reader.zigzag() } == .malformed)
        #expect(code(bytes) { (reader) throws(StorageError) in try reader.count(max: .max) } == .malformed)
    }

    @Test func refusesCountsBeforeAnyoneAllocates() throws {
        var writer = ByteWriter()
        writer.varint(.max)
        writer.zeros(100)
        #expect(code(writer.bytes) { (r) throws(StorageError) in try r.count(max: .max) } == .malformed)
        #expect(code(writer.bytes) { (r) throws(StorageError) in try r.string(max: .max) } == .malformed)
        let ten: [UInt8] = [10] + [UInt8](repeating: 65, count: 19)
        #expect(code(ten) { (r) throws(StorageError) in try r.count(max: 9) } == .malformed)
        #expect(code(ten) { (r) throws(StorageError) in try r.count(max: -1) } == .malformed)
        #expect(code(ten) { (r) throws(StorageError) in try r.count(max: 10, minimumSize: 2) } == .malformed)
        #expect(code(ten) { (r) throws(StorageError) in try r.count(max: 10, minimumSize: 1) } == nil)
        #expect(code(ten) { (r) throws(StorageError) in try r.string(max: 9) } == .malformed)
        #expect(code(ten) { (r) throws(StorageError) in try r.string(max: 10) } == nil)
        #expect(code(ten) { (r) throws(StorageError) in try r.bytes(21) } == .malformed)
        #expect(code(ten) { (r) throws(StorageError) in try r.bytes(-1) } == .malformed)
        #expect(code(ten) { (r) throws(StorageError) in try r.subReader(.max) } == .malformed)
    }

    @Test(
        arguments: [[1, 0xFF], [2, 0xC0, 0x80], [3, 0xED, 0xA0, 0x80], [1, 0xC3], [4, 0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
    func refusesWhatIsNotUTF8(_ bytes: [UInt8]) {
        #expect(code(bytes) { (reader) throws(StorageError) in try reader.string(max: 10) } == .malformed)
    }

    @Test func refusesWordsPastTheEnd() {
        let bytes = patternBytes(7)
        #expect(code(bytes) { (r) throws(StorageError) in try r.u64() } == .malformed)
        #expect(code(Array(bytes.prefix(3))) { (r) throws(StorageError) in try r.u32() } == .malformed)
        #expect(code(Array(bytes.prefix(1))) { (r) throws(StorageError) in try r.u16() } == .malformed)
        #expect(code([]) { (r) throws(StorageError) in try r.u8() } == .malformed)
        #expect(code(patternBytes(15)) { (r) throws(StorageError) in try r.digest() } == .malformed)
    }

    @Test func staysInItsPart() throws {
        var reader = ByteReader(patternBytes(20), 5..<10)
        #expect(try reader.u32() == 0x3B34_2D26)
        #expect(throws: StorageError.self) { try reader.u16() }
        #expect(throws: StorageError.self) { try reader.expectEnd() }
        let error = #expect(throws: StorageError.self) { try reader.bytes(2) }
        #expect(error?.offset == 9)
        #expect(try reader.u8() == patternBytes(10)[9])
        try reader.expectEnd()
    }

    /// Whatever bytes come, reading ends with a value or an error.
    @Test func survivesNoise() {
        var state: UInt64 = 7
        var failures = 0
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            for _ in 0..<24 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(UInt8(state >> 56))
            }
            var reader = ByteReader(bytes)
            do throws(StorageError) {
                while !reader.isAtEnd {
                    _ = try reader.varint()
                    _ = try reader.string(max: 12)
                    _ = try reader.zigzag()
                }
            } catch {
                failures += error.code == .malformed ? 1 : 0
            }
            #expect(reader.position <= reader.end)
        }
        #expect(failures > 10_000)
    }
}
