/// A section as rows of text: contestant, figures, ratio, flushes, memory.
package struct ReportTable {
    let header: [String]
    package let rows: [[String]]

    package init(_ section: Results.Section) {
        var header = ["contestant"]
        for figure in section.figures {
            header += [figure == .perSecond ? "\(section.unit)/s" : figure.title, "quartiles"]
        }
        header += ["ratio of ours", "flushes/commit", "MiB anon", "MiB VmHWM"]
        self.header = header
        let ours = section.row(section.goals.first?.contestant ?? "") ?? section.rows.first { $0.isOurs }
        rows = section.rows.map { Self.cells($0, of: section, ours: ours) }
    }

    private static func cells(_ row: Results.Row, of section: Results.Section, ours: Results.Row?) -> [String] {
        var cells = [section.title(of: row)]
        for figure in section.figures {
            let found = Quartiles(row.runs.compactMap { figure.value(of: $0) })
            cells.append(found.map { Figures.short($0.median) } ?? "")
            cells.append(found.map { "\(Figures.short($0.lower)) … \(Figures.short($0.upper))" } ?? "")
        }
        let isOurs = row.label == ours?.label
        let ratio = ours.flatMap { isOurs ? nil : Verdict.ratio(of: $0, to: row, section.figures[0]) }
        cells.append(ratio.map(Figures.ratio) ?? "")
        let flushes = Quartiles(row.runs.compactMap(\.flushesPerCommit))?.median
        cells.append(flushes.map(Figures.short) ?? "")
        cells.append(Figures.short(Quartiles(row.runs.map { Double($0.peakAnonKiB) / 1024 })?.median ?? 0))
        cells.append(Figures.short(Quartiles(row.runs.map { Double($0.peakHWMKiB) / 1024 })?.median ?? 0))
        return cells
    }

    /// In columns of equal width.
    var text: String {
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        return ([header] + rows).map { cells in
            cells.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - cells[column].count)
                return column == 0 ? cells[column] + padding : padding + cells[column]
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    var markdown: String {
        let rule = header.indices.map { $0 == 0 ? "---" : "---:" }
        return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }
}

extension Line.Figure {
    var title: String {
        switch self {
        case .perSecond: "per second"
        case .p50Microseconds: "p50 µs"
        case .medianMilliseconds: "median ms"
        case .maxMilliseconds: "worst ms"
        case .openMilliseconds: "open ms"
        case .readsPerSecond: "reads/s"
        case .ingestMBPerSecond: "MB/s in"
        case .readMBPerSecond: "MB/s out"
        case .peakAnonMiB: "peak MiB"
        }
    }
}
