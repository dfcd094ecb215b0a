/// Whether those who did the same came to the same: a figure of somebody who did something else is no figure.
package struct ResultCheck {
    /// Commits that arrive at once may share a flush.
    let isGrouped: Bool

    package init(isGrouped: Bool = false) { self.isGrouped = isGrouped }

    /// Which rows must hold the same.
    private struct Data: Hashable {
        let count: UInt64
        let variant: String?
    }

    /// - Throws: ``BenchmarkError`` unless rows with equal counts and variants hold equal data, rows with equal counts looked at the same, and commits that cannot
    ///   share a flush had one each.
    package func check(_ section: Results.Section) throws {
        var held: [Data: (label: String, hash: String)] = [:]
        var seen: [UInt64: (label: String, touch: String)] = [:]
        for row in section.rows {
            let data = Data(count: row.count, variant: row.variant)
            for run in row.runs {
                let first = held[data] ?? (row.label, run.resultHash)
                guard first.hash == run.resultHash else {
                    throw BenchmarkError(
                        "\(section.id): \(row.label) holds \(run.resultHash), \(first.label) \(first.hash): not the same data")
                }
                held[data] = first
                if let touch = run.touch {
                    let first = seen[row.count] ?? (row.label, touch)
                    guard first.touch == touch else {
                        throw BenchmarkError(
                            "\(section.id): \(row.label) came to \(touch), \(first.label) to \(first.touch): not the same work")
                    }
                    seen[row.count] = first
                }
                if let ratio = run.flushesPerCommit, ratio < 1, !isGrouped {
                    throw BenchmarkError("\(section.id): \(row.label) flushed \(ratio) times per commit: not durable")
                }
            }
        }
    }
}
