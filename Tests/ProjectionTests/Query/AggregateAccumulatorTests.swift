import EventLog
import Projection
import Testing

@Suite("AggregateAccumulator")
struct AggregateAccumulatorTests {
    private func result(_ function: Aggregate.Function, _ values: [Value]) -> Value {
        var accumulator = AggregateAccumulator(function)
        for value in values { accumulator.add(value) }
        return accumulator.result
    }

    @Test(
        "figures",
        arguments: [
            (.count, [], .int(0)), (.count, [.null, .string("x"), .int(1)], .int(2)), (.sum, [], .int(0)),
            (.sum, [.null], .int(0)), (.avg, [], .null), (.avg, [.null], .null), (.min, [.null], .null), (.max, [], .null),
            (.sum, [.int(1), .null, .int(2)], .int(3)), (.sum, [.counter(1), .double(0.5)], .double(1.5)),
            (.sum, [.int(.max), .int(1)], .double(0x1p63)), (.sum, [.int(.max), .int(1), .int(-1)], .int(.max)),
            (.sum, [.double(1e16), .double(1), .double(-1e16)], .double(1)),
            (.sum, [.double(.infinity), .double(1)], .double(.infinity)),
            (.avg, [.int(1), .int(2)], .double(1.5)), (.avg, [.int(.max), .int(.max)], .double(0x1p63)),
            (.min, [.int(3), .double(2.5), .null], .double(2.5)),
            (.max, [.double(.nan), .int(1 << 53 + 1), .double(0x1p53)], .int(1 << 53 + 1)),
            (.min, [.double(.nan)], .null), (.max, [.string("b"), .string("é"), .string("a")], .string("é")),
            (.min, [.date(5), .date(-5)], .date(-5)),
        ] as [(Aggregate.Function, [Value], Value)])
    func figures(function: Aggregate.Function, values: [Value], expected: Value) {
        #expect(result(function, values) == expected)
    }

    @Test("parts join to the whole", arguments: Aggregate.Function.allCases)
    func join(function: Aggregate.Function) {
        var random = RandomFilter(seed: 5)
        for _ in 0..<200 {
            let values = (0..<12).map { _ in random.value(.double) }
            var parts = AggregateAccumulator(function)
            var other = AggregateAccumulator(function)
            for value in values.prefix(5) { parts.add(value) }
            for value in values.dropFirst(5) { other.add(value) }
            parts.add(other)
            #expect(parts.result == result(function, values))
        }
    }
}
