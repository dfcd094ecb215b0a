/// Dates in predicates: ISO 8601 text to and from seconds since 2001-01-01T00:00:00Z.
///
/// Proleptic Gregorian, no leap seconds.
package enum DateLiteral {
    private static let daysFrom1970To2001 = 11_323

    /// Reads `2020-10-13`, `2020-10-13T08:30Z`, `2020-10-13 08:30:00.125+02:00`; without a zone it is UTC.
    ///
    /// Nil for all else.
    package static func seconds(_ text: String) -> Double? {
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
        var fraction = 0.0
        if take(&rest, ":") {
            guard let value = number(&rest, digits: 2), value < 60 else { return nil }
            second = value
            if take(&rest, ".") || take(&rest, ",") {
                let digits = rest.prefix { UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }
                guard !digits.isEmpty, let value = Double("0." + String(decoding: digits, as: UTF8.self)) else { return nil }
                fraction = value
                rest = rest.dropFirst(digits.count)
            }
        }
        guard let offset = zone(&rest), rest.isEmpty else { return nil }
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second - offset) + fraction
    }

    /// `2020-10-13T08:30:00Z`, with milliseconds where there are any; nil when no such text reads back as the same number.
    package static func text(_ seconds: Double) -> String? {
        guard seconds.isFinite, abs(seconds) < 1e11 else { return nil }
        let whole = Int(seconds.rounded(.down))
        let milliseconds = Int(((seconds - Double(whole)) * 1_000).rounded())
        let days = whole.quotient(floor: 86_400)
        let time = whole - days * 86_400
        let (year, month, day) = date(days: days + daysFrom1970To2001)
        guard (0...9_999).contains(year), milliseconds < 1_000 else { return nil }
        let result =
            "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(time / 3_600, 2)):"
            + "\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))" + (milliseconds > 0 ? ".\(padded(milliseconds, 3))" : "")
            + "Z"
        return Self.seconds(result) == seconds ? result : nil
    }

    /// `2020-10-13T08:30:00.125Z`, to the nearest millisecond; nil outside the years 0 to 9999.
    package static func milliseconds(_ seconds: Double) -> String? {
        let total = (seconds * 1_000).rounded()
        guard total.isFinite, abs(total) < 1e15 else { return nil }
        let whole = Int(total).quotient(floor: 1_000)
        let days = whole.quotient(floor: 86_400)
        let time = whole - days * 86_400
        let (year, month, day) = date(days: days + daysFrom1970To2001)
        guard (0...9_999).contains(year) else { return nil }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(time / 3_600, 2)):"
            + "\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2)).\(padded(Int(total) - whole * 1_000, 3))Z"
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
