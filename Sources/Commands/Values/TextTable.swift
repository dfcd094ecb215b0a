/// Aligned columns under a header, for people.
struct TextTable {
    private let header: [String]
    private var rows: [[String]] = []
    private var isNumeric: [Bool]
    /// Longer cells are cut; nil leaves them whole.
    private let maximum: Int?

    init(_ header: [String], maximum: Int? = nil) {
        self.header = header
        self.maximum = maximum
        isNumeric = Array(repeating: true, count: header.count)
    }

    /// Adds a row, with as many cells as the header has.
    mutating func append(_ cells: [ShownValue]) {
        for (column, cell) in cells.enumerated() where !cell.isNumber && cell != .null { isNumeric[column] = false }
        rows.append(cells.map { cut($0.text) })
    }

    /// Calls `body` with each line, the header first; numbers are aligned at their ends, and no line ends in spaces.
    func forEachLine(_ body: (String) -> Void) {
        var widths = header.map(\.count)
        for row in rows { for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) } }
        for row in [header] + rows {
            var line = ""
            for (column, cell) in row.enumerated() {
                let space = String(repeating: " ", count: widths[column] - cell.count)
                if column > 0 { line += "  " }
                line += isNumeric[column] && !rows.isEmpty ? space + cell : cell + space
            }
            while line.last == " " { line.removeLast() }
            body(line)
        }
    }

    private func cut(_ text: String) -> String {
        guard let maximum, text.count > maximum else { return text }
        return text.prefix(maximum - 1) + "…"
    }
}
