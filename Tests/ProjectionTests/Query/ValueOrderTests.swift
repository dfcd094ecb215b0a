import EventLog
import Projection
import Simulation
import Storage
import Testing

@Suite("ValueOrder")
struct ValueOrderTests {
    @Test(
        "compares integers and doubles as the real numbers they are",
        arguments: [
            (1 << 53, 0x1p53, 0), (1 << 53 + 1, 0x1p53, 1), (1 << 53 - 1, 0x1p53, -1), (-(1 << 53) - 1, -0x1p53, -1),
            (.max, 0x1p63, -1), (.max, 0x1p63.nextDown, 1), (.min, -0x1p63, 0), (.min, (-0x1p63).nextDown, 1),
            (.min + 1, -0x1p63, 1), (.max, .infinity, -1), (.min, -.infinity, 1), (0, -0.0, 0), (0, .leastNonzeroMagnitude, -1),
            (0, -.leastNonzeroMagnitude, 1), (3, 3.5, -1), (-3, -3.5, 1), (-4, -3.5, -1), (0, .nan, nil),
        ] as [(Int64, Double, Int?)])
    func exact(integer: Int64, double: Double, order: Int?) {
        #expect(ValueOrder.compare(.int(integer), .double(double)) == order)
        #expect(ValueOrder.compare(.double(double), .counter(integer)) == order.map { -$0 })
        #expect((EqualityKey(.int(integer)) == EqualityKey(.double(double))) == (order == 0))
    }

    @Test("agrees with exact arithmetic on random numbers")
    func random() {
        var dice = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let integer = Int64(truncatingIfNeeded: dice.next()) >> Int64.random(in: 0...63, using: &dice)
            // Near the integer, or anywhere; a multiple of 1/2 below 2^62, so that twice it is exact.
            let near = Double(integer / 4) + [-1, -0.5, 0, 0.5, 1][Int.random(in: 0..<5, using: &dice)]
            let exact = Int128(integer / 4) * 2 - Int128(near * 2)
            #expect(ValueOrder.compare(integer / 4, near) == (exact < 0 ? -1 : exact == 0 ? 0 : 1))
        }
    }

    @Test("sorts everything, null first and NaN after all numbers")
    func total() {
        let ascending: [Value] = [
            .null, .bool(false), .bool(true), .double(-.infinity), .int(.min), .double(-0.5), .int(0), .double(0.5),
            .counter(1), .double(0x1p53), .int(1 << 53 + 1), .double(.infinity), .double(.nan), .string(""), .string("Z"),
            .string("a"), .string("é"), .string("\u{FF21}"), .string("\u{10000}"), .date(-1), .date(1),
            .uuid(.init(high: 0, low: 1)), .uuid(.init(high: 1, low: 0)), .data([]), .data([1]), .data([1, 0]), .data([2]),
            .reference(SampleRow.id(1)), .reference(SampleRow.id(2)),
        ]
        for (index, a) in ascending.enumerated() {
            for (other, b) in ascending.enumerated() {
                #expect(ValueOrder.sort(a, b) == (index < other ? -1 : index == other ? 0 : 1), "\(a) \(b)")
            }
        }
        #expect(ValueOrder.sort(.string("e\u{301}"), .string("é")) == 0)
    }
}
