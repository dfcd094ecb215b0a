import EventLog
import Projection
import Testing

@Suite("ByteTest")
struct ByteTestTests {
    @Test("no scalar is canonically equivalent to ASCII but the three that are known")
    func doubles() {
        let ascii = Set((0..<128 as Range<UInt8>).map { String(UnicodeScalar($0)) })
        let others = (0x80...0x10ffff as ClosedRange<UInt32>).compactMap(UnicodeScalar.init).filter {
            ascii.contains(String($0))
        }
        #expect(others.map(\.value) == [0x37e, 0x1fef, 0x212a])
    }

    @Test("bytes across the border of two rows are in neither; repeated beginnings are found")
    func borders() throws {
        let texts = ["xxa", "bcx", "abc", "aab", "", "c", "aaabc", String(repeating: "ab", count: 40) + "abc", "ABC"]
        let rows = texts.enumerated().map { SampleRow(UInt64($0.offset + 1), [.title: .string($0.element)]) }
        let source = ScanSource<ArrayScanBlock, SampleRow>(blocks: [ArrayScanBlock(rows, properties: [.title])])
        func found(_ predicate: String) throws -> [UInt64] {
            let fetch = try FetchDescription(entity: "Post", filter: Filter(predicate)).bound(to: .post)
            var statistics = ScanStatistics()
            return try ScanFetch(fetch).execute(over: source, statistics: &statistics).map(\.sequence)
        }
        #expect(try found("title CONTAINS 'abc'") == [3, 7, 8])
        #expect(try found("title CONTAINS[c] 'aBC'") == [3, 7, 8, 9])
        #expect(try found("title CONTAINS 'c'") == [2, 3, 6, 7, 8])
        #expect(try found("title == 'abc'") == [3])
        #expect(try found("title ENDSWITH 'bc' AND title BEGINSWITH 'a'") == [3, 7, 8])
    }
}
