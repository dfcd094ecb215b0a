package import EventLog

// Invariants
// * Of an object's records only the one that counts is unmarked. So no object is in two sections; where one is unmarked in
//   several runs all the same, the newest run's holds.

/// Streams several runs into one, a block of each in memory.
package struct RunMerge {
    /// A run and those of its rows that newer records supersede.
    package struct Source {
        package let run: Run
        package let excluded: RowMarks?

        package init(_ run: Run, excluded: RowMarks? = nil) {
            self.run = run
            self.excluded = excluded
        }
    }

    private let sources: [Source]
    /// From how many rows on a block may stay as it is.
    private let leastRows: Int

    /// - Parameters:
    ///   - sources: the newest first.
    ///   - fillsBlocks: only full blocks stay as they are, which costs more and makes the result better to scan.
    package init(_ sources: [Source], fillsBlocks: Bool = false) {
        self.sources = sources
        leastRows = fillsBlocks ? RunFormat.blockRows : RunFormat.blockRows / 4
    }

    /// Appends every record to `writer` with its terms, and finishes it.
    ///
    /// Blocks that lie between others are copied as they are stored.
    @discardableResult
    package func write(to writer: RunWriter) throws -> RunSummary {
        var maps = sources.map { RowMap(blocks: $0.run.directory.blocks.count) }
        try forEachSection { cursors in
            try merge(&cursors) { cursors, index in
                guard let id = cursors[index].cursor.id else { return }
                let source = cursors[index].source
                let run = sources[source].run
                let position = cursors[index].cursor.position
                let block = position >> RunFormat.rowShift
                if canCopyBlock(at: index, of: cursors) {
                    maps[source].setBlock(block, to: try writer.copy(block, of: run))
                    return try cursors[index].cursor.skipBlock()
                }
                let row = try writer.append(id, .whole(try cursors[index].cursor.next()))
                maps[source].set(position, to: row, of: run.directory.blocks[block].count)
            }
        }
        return try writer.finish(terms: TermMerge(zip(sources, maps).map { ($0.run, $1) }))
    }

    /// Appends every record to `writer`, which the caller finishes.
    ///
    /// - Parameter terms: gives the terms of a record anew, for they are other ones by now; nil leaves the record out.
    package func write(to writer: RunWriter, terms: (ObjectID, ObjectRecord) throws -> RunTerms?) throws {
        try forEachSection { cursors in
            try merge(&cursors) { cursors, index in
                guard let id = cursors[index].cursor.id else { return }
                let record = try cursors[index].cursor.next()
                if let terms = try terms(id, record) { try writer.append(id, .whole(record), terms: terms) }
            }
        }
    }

    /// Whether a cursor stands at a block that nothing of the others comes between; small ones are better joined with others.
    private func canCopyBlock(at index: Int, of cursors: [Cursor]) -> Bool {
        guard let block = cursors[index].cursor.wholeBlock else { return false }
        let isLarge =
            block.count >= leastRows
            || block.chunks.reduce(0) { $0 + $1.storedSize } >= RunFormat.blockBytes / 4
        return isLarge
            && cursors.indices.allSatisfy { other in
                other == index || cursors[other].cursor.id.map { $0 > block.last } ?? true
            }
    }

    private struct Cursor {
        let source: Int
        var cursor: RunCursor
    }

    private func forEachSection(_ body: (inout [Cursor]) throws -> Void) throws {
        let sections = Set(sources.flatMap { $0.run.directory.sections.map(\.section) }).sorted()
        for section in sections {
            var cursors: [Cursor] = []
            for (index, source) in sources.enumerated() {
                guard let held = source.run.directory.sections.first(where: { $0.section == section }) else { continue }
                cursors.append(Cursor(source: index, cursor: try RunCursor(source.run, held, without: source.excluded)))
            }
            try body(&cursors)
        }
    }

    /// Calls `take` with the cursor that stands lowest, which it moves on; others that stand at the same object are moved on too.
    private func merge(_ cursors: inout [Cursor], _ take: (inout [Cursor], Int) throws -> Void) throws {
        while true {
            var lowest: (id: ObjectID, cursor: Int)?
            for index in cursors.indices {
                guard let id = cursors[index].cursor.id else { continue }
                if let held = lowest, held.id <= id { continue }
                lowest = (id, index)
            }
            guard let (id, newest) = lowest else { return }
            try take(&cursors, newest)
            for index in cursors.indices where index != newest && cursors[index].cursor.id == id {
                try cursors[index].cursor.skip()
            }
        }
    }
}
