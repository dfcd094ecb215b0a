package import EventLog

/// Collects the values that one aggregate is taken of.
///
/// Nulls are passed over. Of equal values that are stored differently, the first by ``Spelling`` is the least and the greatest.
///
/// Integers are summed exactly in 128 bits. Doubles are summed with a correction for what each addition rounds away
/// (A. Neumaier, *Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen*, 1974), in the order they come.
package struct AggregateAccumulator: Sendable {
    package let function: Aggregate.Function
    private var count: Int64 = 0
    private var integers: Int128 = 0
    private var doubles = 0.0
    private var correction = 0.0
    private var hasDoubles = false
    private var extreme: Value = .null

    package init(_ function: Aggregate.Function) { self.function = function }

    /// Takes note of an object, for a count without a path.
    package mutating func addObject() { count += 1 }

    package mutating func add(_ value: Value) {
        switch value {
        case .null: return
        case .int(let number), .counter(let number): add(number)
        case .double(let number): add(number)
        default:
            count += 1
            noteExtreme(value)
        }
    }

    package mutating func add(_ number: Int64) {
        count += 1
        switch function {
        case .count: break
        case .sum, .avg: integers += Int128(number)
        case .min, .max:
            if case .int(let known) = extreme {
                if function == .min ? number < known : number > known { extreme = .int(number) }
            } else {
                noteExtreme(.int(number))
            }
        }
    }

    package mutating func add(_ number: Double) {
        count += 1
        switch function {
        case .count: break
        case .min, .max:
            if case .double(let known) = extreme {
                let isBeyond = function == .min ? number < known : number > known
                if isBeyond || number == known && Spelling.precedes(number, known) { extreme = .double(number) }
            } else {
                noteExtreme(.double(number))
            }
        case .sum, .avg:
            hasDoubles = true
            let sum = doubles + number
            correction += abs(doubles) >= abs(number) ? (doubles - sum) + number : (number - sum) + doubles
            doubles = sum
        }
    }

    /// Takes note of several integers by their sum.
    package mutating func add(sum: Int64, of count: Int64) {
        self.count += count
        integers += Int128(sum)
    }

    /// Joins what another accumulator of the same function collected of other, later values.
    package mutating func add(_ other: AggregateAccumulator) {
        let total = count + other.count
        if other.hasDoubles { add(other.doubles) }
        correction += other.correction
        integers += other.integers
        noteExtreme(other.extreme)
        count = total
    }

    package var result: Value {
        switch function {
        case .count: return .int(count)
        case .min, .max: return extreme
        case .sum:
            if hasDoubles { return .double(total) }
            return Int64(exactly: integers).map(Value.int) ?? .double(Double(integers))
        case .avg: return count == 0 ? .null : .double(total / Double(count))
        }
    }

    private var total: Double {
        // After an infinity or an overflow the correction is not a number, but the plain sum says what happened.
        let sum = doubles.isFinite ? doubles + correction : doubles
        return integers == 0 ? sum : sum + Double(integers)
    }

    private mutating func noteExtreme(_ value: Value) {
        guard function == .min || function == .max, ValueOrder.compare(value, value) != nil else { return }
        guard let order = ValueOrder.compare(value, extreme) else {
            extreme = value
            return
        }
        let isBeyond = function == .min ? order < 0 : order > 0
        if isBeyond || order == 0 && Spelling.precedes(value, extreme) { extreme = value }
    }
}
