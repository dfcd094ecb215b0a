import EventLog
import Projection
import Testing

@Suite("CompiledFilter, soaked")
struct CompiledFilterSoakTests {
    @Test("random filters select what their definition says, and read back from their text", arguments: 0..<20 as Range<UInt64>)
    func agrees(seed: UInt64) throws {
        var random = RandomFilter(seed: seed)
        var selected = 0
        var passed = 0
        for _ in 0..<150 {
            let filter = random.filter()
            let text = filter.description
            #expect(try Filter(text) == filter, "seed \(seed): \(text)")
            let compiled = try CompiledFilter(filter.bound(to: .post))
            for sequence in 1...20 as ClosedRange<UInt64> {
                let row = random.row(sequence)
                let expected = NaiveFilter.matches(filter, row)
                #expect(compiled.matches(row) == expected, "seed \(seed): \(text) on \(row)")
                if expected { selected += 1 } else { passed += 1 }
            }
        }
        #expect(selected > 500 && passed > 500)
    }
}
