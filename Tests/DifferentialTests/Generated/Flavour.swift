import EventLog
import Storage

/// What the values of a column are like.
enum Flavour: CaseIterable {
    /// Few and ordinary: many rows are alike, sums are exact.
    case tame
    /// Extremes, and what lies beside them.
    case wild
    /// Doubles with NaN among them; strings of characters of several scalars, whichever way they are encoded.
    case odd
    /// Many different ones.
    case wide

    /// A value of a type; never null.
    func value(of type: ValueType, _ dice: inout Dice) -> Value {
        switch type {
        case .bool: .bool(dice.chance(50))
        case .int: .int(integer(&dice))
        case .counter: .counter(Int64(dice.number(-20...20)))
        case .double: .double(double(&dice))
        case .date: .date(date(&dice))
        case .string: .string(Texts.text(self, &dice))
        case .uuid: .uuid(Digest128(high: word(&dice), low: word(&dice)))
        default: .data(bytes(&dice))
        }
    }

    private func integer(_ dice: inout Dice) -> Int64 {
        switch self {
        case .tame: return Int64(dice.number(-3...6))
        case .wide: return Int64(dice.number(-100_000...100_000))
        case .odd: return Int64(truncatingIfNeeded: dice.word())
        case .wild:
            let extremes: [Int64] = [.min, .min + 1, -1 << 53 - 1, -1, 0, 1, 1 << 53, 1 << 53 + 1, 1 << 62, .max - 1, .max]
            return dice.pick(extremes)
        }
    }

    private func double(_ dice: inout Dice) -> Double {
        switch self {
        case .tame: return Double(dice.number(-12...24)) / 4
        // Some so large that sums without a correction would lose the others.
        case .wide: return Double(dice.number(-1_000_000...1_000_000)) / 1000 * (dice.chance(10) ? 1e12 : 1)
        case .odd: return dice.chance(25) ? .nan : dice.pick([-0.0, 0, 1, 2.5, -.infinity, .infinity])
        case .wild:
            return dice.pick([
                -.infinity, -.greatestFiniteMagnitude, -0x1p63, -1e300, -0.1, -.leastNonzeroMagnitude, -0.0, 0,
                .leastNonzeroMagnitude, .leastNormalMagnitude / 3, 0.1, 0.30000000000000004, 1, 0x1p53, 0x1p53 + 2,
                0x1p63, 0x1.fffffffffffffp62, 1e300, .greatestFiniteMagnitude, .infinity,
            ])
        }
    }

    private func date(_ dice: inout Dice) -> Double {
        switch self {
        case .tame: Double(dice.number(0...9)) * 86400
        case .wide, .odd: Double(dice.number(-1_000_000_000...1_000_000_000)) + Double(dice.number(0...999)) / 1000
        case .wild: dice.pick([-0.0, 0, -63_114_076_800, 252_423_993_599, 0.001, -1e18, 1e18, 700_000_000.5])
        }
    }

    private func word(_ dice: inout Dice) -> UInt64 {
        switch self {
        case .tame: UInt64(dice.number(0...2))
        case .wild: dice.pick([0, 1, UInt64(1) << 63, .max, UInt64(Int64.max)])
        default: dice.word()
        }
    }

    private func bytes(_ dice: inout Dice) -> [UInt8] {
        switch self {
        case .tame: dice.pick([[], [0], [1], [1, 0], [255]])
        case .wild: (0..<dice.number(0...3)).map { _ in dice.pick([0, 1, 127, 128, 255]) }
        default: (0..<dice.number(0...40)).map { _ in UInt8(truncatingIfNeeded: dice.word()) }
        }
    }
}
