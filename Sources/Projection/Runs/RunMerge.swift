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

    /// - Parameter sources: the newest first.
    package init(_ sources: [Source]) { self.sources = sources }

    /// Appends every record to `writer`, which the caller finishes.
    ///
    /// - Parameter terms: gives the terms of a record anew, since a change of schema changes them; nil leaves the record out.
    package func write(to writer: RunWriter, terms: (ObjectID, ObjectRecord) throws -> RunTerms?) throws {
        let sections = Set(sources.flatMap { $0.run.directory.sections.map(\.section) }).sorted()
        for section in sections {
            var cursors: [RunCursor] = []
            for source in sources {
                guard let held = source.run.directory.sections.first(where: { $0.section == section }) else { continue }
                cursors.append(try RunCursor(source.run, held, without: source.excluded))
            }
            try merge(&cursors, to: writer, terms: terms)
        }
    }

    private func merge(
        _ cursors: inout [RunCursor], to writer: RunWriter, terms: (ObjectID, ObjectRecord) throws -> RunTerms?
    ) throws {
        while true {
            var lowest: (id: ObjectID, cursor: Int)?
            for index in cursors.indices {
                guard let id = cursors[index].id else { continue }
                if let held = lowest, held.id <= id { continue }
                lowest = (id, index)
            }
            guard let (id, newest) = lowest else { return }
            let record = try cursors[newest].next()
            for index in cursors.indices where cursors[index].id == id { try cursors[index].skip() }
            if let terms = try terms(id, record) { try writer.append(id, record, terms: terms) }
        }
    }
}
