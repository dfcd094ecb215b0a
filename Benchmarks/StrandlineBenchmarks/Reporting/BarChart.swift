/// A bar for each contestant of a section, as SVG that reads on light and dark pages.
package struct BarChart {
    package struct Bar: Equatable {
        let label: String
        let value: Double
        let lower: Double
        let upper: Double
        let isOurs: Bool

        package init(label: String, value: Double, lower: Double, upper: Double, isOurs: Bool) {
            self.label = label
            self.value = value
            self.lower = lower
            self.upper = upper
            self.isOurs = isOurs
        }
    }

    let title: String
    let unit: String
    let bars: [Bar]

    package init(title: String, unit: String, bars: [Bar]) {
        self.title = title
        self.unit = unit
        self.bars = bars
    }

    /// The file of a figure's chart: the section's name for its first.
    static func file(_ section: Results.Section, _ figure: Line.Figure) -> String {
        figure == section.figures[0] ? "\(section.id).svg" : "\(section.id)-\(figure.rawValue).svg"
    }

    init(_ section: Results.Section, _ figure: Line.Figure) {
        title = section.title
        unit = figure == .perSecond ? "\(section.unit)/s" : figure.title
        bars = section.rows.compactMap { row in
            guard let found = Quartiles(row.runs.compactMap { figure.value(of: $0) }) else { return nil }
            return Bar(
                label: section.title(of: row), value: found.median, lower: found.lower, upper: found.upper, isOurs: row.isOurs)
        }
    }

    private static let width = 720.0, left = 210.0, right = 90.0, top = 44.0, step = 30.0, thickness = 18.0

    package var svg: String {
        let height = Self.top + Double(bars.count) * Self.step + 10
        let room = Self.width - Self.left - Self.right
        let most = bars.map(\.upper).max().map { $0 > 0 ? $0 : 1 } ?? 1
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(Self.width)) \(Self.number(height))" \
            role="img" font-family="system-ui, sans-serif" font-size="13">
            """,
            "<title>\(Self.escaped(title))</title>",
            """
            <style>text{fill:#24292f}.o{fill:#0b7285}.p{fill:#adb5bd}.q{stroke:#495057;stroke-width:1.5}\
            @media(prefers-color-scheme:dark){text{fill:#e6edf3}.o{fill:#3bc9db}.p{fill:#6c757d}.q{stroke:#ced4da}}</style>
            """,
            "<text x=\"8\" y=\"20\" font-weight=\"600\">\(Self.escaped(title)) (\(Self.escaped(unit)))</text>",
        ]
        for (number, bar) in bars.enumerated() {
            let y = Self.top + Double(number) * Self.step
            let middle = y + Self.thickness / 2
            func x(_ value: Double) -> String { Self.number(Self.left + room * value / most) }
            lines += [
                "<text x=\"\(Self.number(Self.left - 8))\" y=\"\(Self.number(y + 14))\" text-anchor=\"end\">"
                    + "\(Self.escaped(bar.label))</text>",
                "<rect class=\"\(bar.isOurs ? "o" : "p")\" x=\"\(Self.number(Self.left))\" y=\"\(Self.number(y))\" "
                    + "width=\"\(Self.number(room * bar.value / most))\" height=\"\(Self.number(Self.thickness))\" rx=\"2\"/>",
                "<line class=\"q\" x1=\"\(x(bar.lower))\" x2=\"\(x(bar.upper))\" y1=\"\(Self.number(middle))\" "
                    + "y2=\"\(Self.number(middle))\"/>",
                "<text x=\"\(Self.number(Self.left + room * bar.upper / most + 8))\" y=\"\(Self.number(y + 14))\">"
                    + "\(Self.escaped(Figures.short(bar.value)))</text>",
            ]
        }
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
