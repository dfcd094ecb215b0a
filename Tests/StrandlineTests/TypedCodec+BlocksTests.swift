import EventLog
import Projection
import Strandline
import Testing

@Suite struct TypedCodecBlocksTests {
    private let blobs = FakeBlobs()

    private func codec() throws -> TypedCodec<Everything> {
        try #require(TypedCodec<Everything>(SchemaSet(Everything.self)))
    }

    /// Rows of which every third is at its defaults, and every seventh has a text of its own.
    private func rows(_ count: Int) -> [Everything] {
        (0..<count).map { number in
            var row = number % 3 == 0 ? Everything() : .extreme
            if number % 7 == 0 { row.text = "row \(number)" }
            row.int = number
            row.photo = Blob()
            row.maybePhoto = nil
            row.many = []
            return row
        }
    }

    @Test(arguments: [0, 1, 2, 300])
    func rowsComeBackFromTheirBlocks(count: Int) throws {
        let codec = try codec()
        let rows = rows(count)
        let ids = (0..<count).map { object(UInt32($0)) }
        var read = codec.rows(ids)
        #expect(read.map(\.id.object) == ids)
        // In two parts of unequal length, so that blocks do not start at row 0.
        let half = count / 3
        for (first, length) in [(0, half), (half, count - half)] {
            for (property, block) in try codec.blocks(of: rows, first: first, count: length) {
                #expect(codec.decode(block, of: property, into: &read, first: first))
            }
        }
        var different: [Int] = []
        codec.forEachDifference(rows, read) { _, row in different.append(row) }
        #expect(different == [])
        for (row, back) in zip(rows, read) {
            #expect(try codec.changes(from: row, to: back, as: object(0), blobs: blobs).isEmpty)
        }
    }

    @Test func blocksHoldTheValuesOfTheRows() throws {
        let codec = try codec()
        let rows = rows(50)
        for (property, block) in try codec.blocks(of: rows, first: 10, count: 40) {
            for row in 0..<40 {
                let changes = try codec.insertion(of: rows[10 + row], as: object(0), blobs: blobs)
                let value = changes.values.first { $0.property == property }?.value
                #expect(block.value(row) == value, "\(property), row \(row)")
            }
        }
    }

    @Test func theDifferenceNamesPropertyAndRow() throws {
        let old = rows(20)
        var new = old
        new[4].text += "!"
        new[11].maybeInt = 8
        new[11].settings.factor = 2
        var found: [String] = []
        try codec().forEachDifference(old, new) { property, row in found.append("\(property.name) \(row)") }
        #expect(found == ["text 4", "maybeInt 11", "settings 11"])
    }

    @Test func absentValuesAndOtherTypesLeaveTheDefault() throws {
        let codec = try codec()
        var rows = codec.rows([object(0), object(1), object(2), object(3)])
        let maybe = ColumnBlock(type: .int, [.int(5), nil, .null, .string("no")])
        #expect(codec.decode(maybe, of: Property("maybeInt", .int), into: &rows, first: 0))
        #expect(rows.map(\.maybeInt) == [5, 7, nil, 7])
        let small = ColumnBlock(type: .int, count: 3, cells: nil, slots: .ints([127, 128, -129]))
        #expect(codec.decode(small, of: Property("int8", .int), into: &rows, first: 1))
        #expect(rows.map(\.int8) == [0, 127, 0, 0])
        #expect(!codec.decode(small, of: Property("int8", .string), into: &rows, first: 0))
    }
}
