/// How far some work has come, as one line of text.
package struct ProgressLine: Sendable {
    /// What is counted.
    package enum Unit: Sendable, Equatable {
        /// Things with a name in the plural: "objects".
        case items(String)
        case bytes
    }

    package var title: String
    /// How much there is to do; nil when nobody knows.
    package var total: UInt64?
    package var unit: Unit
    package var done: UInt64 = 0

    /// Nothing done yet.
    package init(title: String, total: UInt64?, unit: Unit) {
        self.title = title
        self.total = total
        self.unit = unit
    }

    /// The line to redraw: `import quakes.json [##########----------]  50%  1,000 objects  2,000/s`.
    package func bar(after time: Duration) -> String {
        guard let total, total > 0 else { return plain(after: time) }
        let cells = 20
        let filled = Int(fraction(of: total) * Double(cells))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled)
        return "\(title) [\(bar)] \(percent(of: total))  \(amount(done))  \(rate(after: time))"
    }

    /// The line to log: `import quakes.json: 1,000 of 2,000 objects, 2,000/s`.
    package func plain(after time: Duration) -> String {
        guard let total else { return "\(title): \(amount(done)), \(rate(after: time))" }
        return "\(title): \(percent(of: total).drop { $0 == " " }) of \(amount(total)), \(rate(after: time))"
    }

    /// The line that stays: `import quakes.json: 2,000 objects in 1.0 s`.
    package func summary(after time: Duration) -> String {
        "\(title): \(amount(done)) in \(Self.tenths(seconds(time))) s"
    }

    private func fraction(of total: UInt64) -> Double { total == 0 ? 1 : min(1, Double(done) / Double(total)) }

    private func percent(of total: UInt64) -> String {
        let digits = String(Int(fraction(of: total) * 100))
        return String(repeating: " ", count: 3 - digits.count) + digits + "%"
    }

    private func amount(_ count: UInt64) -> String {
        switch unit {
        case .items(let name): "\(Self.grouped(count)) \(name)"
        case .bytes: Self.bytes(count)
        }
    }

    private func rate(after time: Duration) -> String {
        let seconds = seconds(time)
        let perSecond = seconds > 0 ? UInt64(Double(done) / seconds) : 0
        return (unit == .bytes ? Self.bytes(perSecond) : Self.grouped(perSecond)) + "/s"
    }

    private func seconds(_ time: Duration) -> Double {
        Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
    }

    /// Digits in groups of three: `1,234,567`.
    package static func grouped(_ count: UInt64) -> String {
        let digits = Array(String(count))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }

    /// `1 segment`, `2,345 segments`.
    static func counted(_ count: Int, _ noun: String) -> String {
        "\(grouped(UInt64(max(0, count)))) \(noun)\(count == 1 ? "" : "s")"
    }

    /// Decimal units, one digit after the point: `15.3 MB`.
    package static func bytes(_ count: UInt64) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var value = Double(count) / 1000
        for unit in ["kB", "MB", "GB"] {
            if value < 999.95 { return "\(tenths(value)) \(unit)" }
            value /= 1000
        }
        return "\(tenths(value)) TB"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = UInt64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
