import Projection
import Testing

@Suite("TextPool")
struct TextPoolTests {
    private func column(_ texts: [String]) -> (utf8: [UInt8], ends: [Int]) {
        var utf8: [UInt8] = []
        var ends: [Int] = []
        for text in texts {
            utf8 += Array(text.utf8)
            ends.append(utf8.count)
        }
        return (utf8, ends)
    }

    @Test("a text keeps its number, whatever comes after it; rows without one have none")
    func numbers() {
        let pool = TextPool()
        let (utf8, ends) = column(["b", "a", "a text of more than fifteen bytes", "b"])
        #expect(pool.codes(of: RowSelection(allOf: 4), utf8: utf8, ends: ends) == [0, 1, 2, 0])
        let (others, otherEnds) = column(["new", "a", "b", "newer"])
        #expect(pool.codes(of: RowSelection(allOf: 4), utf8: others, ends: otherEnds) == [3, 1, 0, 4])
        var some = RowSelection(noneOf: 4)
        some.insert(2)
        #expect(pool.codes(of: some, utf8: others, ends: otherEnds) == [.max, .max, 0, .max])
    }
}
