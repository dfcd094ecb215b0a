/// Dates in predicates: ISO 8601 text to and from seconds since 2001-01-01T00:00:00Z.
///
/// Proleptic Gregorian, no leap seconds.
package enum DateLiteral {
    private static let daysFrom1970To2001 = 11_323

    /// Reads `2020-10-13`, `2020-10-13T08:30Z`, `2020-10-13 08:30:00.125+02:00`; without a zone it is UTC.
    ///
    /// Also `3.5e+11 s after 2001`, as ``exact(_:)`` writes what no calendar text says. Nil for all else.
    package static func seconds(_ text: String) -> Double? {
        if text.hasSuffix(suffix) { return ExactNumber.number(String(text.dropLast(suffix.count))) }
        var rest = Array(text.utf8)[...]
        guard let year = number(&rest, digits: 4), take(&rest, "-"), let month = number(&rest, digits: 2), take(&rest, "-"),
            let day = number(&rest, digits: 2), (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year: year)
        else { return nil }
        let days = days(year: year, month: month, day: day) - daysFrom1970To2001
        if rest.isEmpty { return Double(days * 86_400) }

        guard take(&rest, "T") || take(&rest, "t") || take(&rest, " "), let hour = number(&rest, digits: 2), take(&rest, ":"),
            let minute = number(&rest, digits: 2), hour < 24, minute < 60
        else { return nil }
        var second = 0
        var fraction = ""
        if take(&rest, ":") {
            guard let value = number(&rest, digits: 2), value < 60 else { return nil }
            second = value
            if take(&rest, ".") || take(&rest, ",") {
                let digits = rest.prefix { UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }
                guard !digits.isEmpty else { return nil }
                fraction = String(decoding: digits, as: UTF8.self)
                rest = rest.dropFirst(digits.count)
            }
        }
        guard let offset = zone(&rest), rest.isEmpty else { return nil }
        return number(days * 86_400 + hour * 3_600 + minute * 60 + second - offset, fraction)
    }

    /// The number that is nearest to whole seconds and digits of a further one.
    private static func number(_ whole: Int, _ digits: String) -> Double? {
        guard digits.contains(where: { $0 != "0" }) else { return Double(whole) }
        guard whole < 0 else { return Double("\(whole).\(digits)") }
        // -1 and 999 thousandths are -0.001.
        var rest: [UInt8] = []
        var carries = true
        for digit in digits.utf8.reversed() {
            let value = (carries ? 10 : 9) - (digit - UInt8(ascii: "0"))
            carries = value == 10
            rest.append(UInt8(ascii: "0") + value % 10)
        }
        return Double("-\(-whole - 1)." + String(decoding: rest.reversed(), as: UTF8.self))
    }

    /// What stands behind a number of seconds that no calendar text reads back as.
    private static let suffix = " s after 2001"

    /// A text that reads back as the same number, bit by bit: `2020-10-13T08:30:00.125Z`, with as many digits behind the
    /// milliseconds as it takes.
    ///
    /// Outside the years 0 to 9999, and where digits do not reach, the number itself: `3.5e+11 s after 2001`.
    package static func exact(_ seconds: Double) -> String {
        calendar(seconds, fewest: 3) ?? ExactNumber.text(seconds) + suffix
    }

    /// As ``exact(_:)``, without a fraction where there is none; nil when no calendar text reads back as the same number.
    package static func text(_ seconds: Double) -> String? { calendar(seconds, fewest: 0) }

    private static func calendar(_ seconds: Double, fewest: Int) -> String? {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
        let whole = seconds.rounded(.down)
        let fraction = seconds - whole
        guard let start = calendar(Int(whole)) else { return nil }
        var scale = 1
        for digits in 0...17 {
            defer { scale *= 10 }
            let count = Int((fraction * Double(scale)).rounded())
            guard digits >= fewest, digits == 0 || digits > 2, count < scale else { continue }
            let result = start + (digits > 0 ? ".\(padded(count, digits))" : "") + "Z"
            if Self.seconds(result)?.bitPattern == seconds.bitPattern { return result }
        }
        return nil
    }

    /// `2020-10-13T08:30:00`; nil outside the years 0 to 9999.
    private static func calendar(_ whole: Int) -> String? {
        let days = whole.quotient(floor: 86_400)
        let time = whole - days * 86_400
        let (year, month, day) = date(days: days + daysFrom1970To2001)
        guard (0...9_999).contains(year) else { return nil }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(time / 3_600, 2)):"
            + "\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
    }

    /// `2020-10-13T08:30:00.125Z`, to the nearest millisecond; nil outside the years 0 to 9999.
    package static func milliseconds(_ seconds: Double) -> String? {
        let total = (seconds * 1_000).rounded()
        guard total.isFinite, abs(total) < 1e15 else { return nil }
        let whole = Int(total).quotient(floor: 1_000)
        return calendar(whole).map { "\($0).\(padded(Int(total) - whole * 1_000, 3))Z" }
    }

    private static func take(_ rest: inout ArraySlice<UInt8>, _ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }) else { return nil }
        rest = rest.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// The offset from UTC in seconds.
    private static func zone(_ rest: inout ArraySlice<UInt8>) -> Int? {
        if rest.isEmpty || take(&rest, "Z") || take(&rest, "z") { return 0 }
        let isEast = take(&rest, "+")
        guard isEast || take(&rest, "-"), let hours = number(&rest, digits: 2), hours < 24 else { return nil }
        var minutes = 0
        if !rest.isEmpty {
            _ = take(&rest, ":")
            guard let value = number(&rest, digits: 2), value < 60 else { return nil }
            minutes = value
        }
        return (isEast ? 1 : -1) * (hours * 3_600 + minutes * 60)
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01.
    ///
    /// The year is taken to begin in March, so that the leap day is its last.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let era = year.quotient(floor: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted.quotient(floor: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int {
    /// Division that rounds down, also below zero.
    fileprivate func quotient(floor divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
