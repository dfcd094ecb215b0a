package import EventLog
import Storage

/// Up to 4,096 rows of one entity in a run, by columns.
package struct RunBlock: ScanBlock, Sendable {
    let run: Run
    let section: Int
    let block: Int
    package var excluded: [UInt64]?

    init(run: Run, section: Int, block: Int) {
        self.run = run
        self.section = section
        self.block = block
    }

    /// The number of its first row; the others follow one by one.
    package var firstRow: Int { block << RunFormat.rowShift }
    package var count: Int { run.directory.blocks[block].count }
    /// The lowest and the highest id.
    package var range: ClosedRange<ObjectID> { run.directory.blocks[block].first...run.directory.blocks[block].last }

    package var idBounds: ClosedRange<ObjectID>? { range }

    /// The properties that any object of the entity has in the run, ascending.
    package var properties: [Property] { run.directory.sections[section].properties }

    /// Whether a row may have more than its columns say, such as edges.
    package var hasWholeRecords: Bool { run.directory.blocks[block].chunks.contains { $0.column == RunFormat.Column.extra } }

    /// The same block without the rows that are marked.
    package func excluding(_ marks: RowMarks) -> RunBlock {
        var copy = self
        copy.excluded = marks.words(ofBlock: block)
        return copy
    }

    package func bounds(_ property: Property) -> ColumnBounds? {
        run.chunk(of: property, block, run.directory.sections[section])?.bounds
    }

    package func column(_ property: Property) throws -> ColumnBlock? { try chunk(property)?.block }

    func chunk(_ property: Property) throws(StorageError) -> ColumnChunk? {
        guard let chunk = run.chunk(of: property, block, run.directory.sections[section]) else { return nil }
        return try run.column(block, chunk, type: property.type, isScan: true)
    }

    package func texts(_ property: Property) throws -> PooledTexts? {
        guard property.type == .string, let chunk = run.chunk(of: property, block, run.directory.sections[section])
        else { return nil }
        return try run.texts(block, chunk, of: property)
    }

    package func ids() throws -> [ObjectID] { try run.heads(block, isScan: true).ids.all }
}
