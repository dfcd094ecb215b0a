package import EventLog
import Storage

// Invariants
// * `block` is the one that `rows` decodes, or that is not read yet while `rows` is nil; `row` is the row of it where the cursor stands.

/// Goes through the records of one section of a run, without a cache: a block is read at once and forgotten.
struct RunCursor {
    private let run: Run
    private let section: RunDirectory.Section
    private let marks: RowMarks?
    private var block: Int
    private var row = 0
    private var rows: BlockRows?
    /// Where the cursor stands; nil at the end.
    private(set) var id: ObjectID?

    /// Stands on the first record that is not marked.
    init(_ run: Run, _ section: RunDirectory.Section, without marks: RowMarks?) throws(StorageError) {
        self.run = run
        self.section = section
        self.marks = marks
        block = section.blocks.lowerBound
        try settle()
    }

    /// The number of the row where the cursor stands.
    var position: Int { block << RunFormat.rowShift | row }

    /// The block, when the cursor stands at its beginning and no row of it is marked.
    var wholeBlock: RunDirectory.Block? {
        row == 0 && id != nil && isUnmarked(block) ? run.directory.blocks[block] : nil
    }

    private func isUnmarked(_ block: Int) -> Bool { marks?.words(ofBlock: block) == nil }

    /// Goes on behind the block.
    mutating func skipBlock() throws(StorageError) {
        block += 1
        row = 0
        rows = nil
        try settle()
    }

    /// The record at ``id``, and a step to the next.
    mutating func next() throws(StorageError) -> ObjectRecord {
        guard id != nil else { throw .malformed("a record behind the last one", path: run.path) }
        if rows == nil { rows = try run.readRows(block, of: section) }
        guard let rows else { throw .malformed("a block that cannot be read", path: run.path) }
        let record = try run.naming(block) { () throws(StorageError) in try rows.record(row) }
        try skip()
        return record
    }

    mutating func skip() throws(StorageError) {
        row += 1
        try settle()
    }

    /// Finds the next row that is not marked, from `row` on.
    private mutating func settle() throws(StorageError) {
        id = nil
        while section.blocks.contains(block) {
            if row == 0, isUnmarked(block) {
                // The block may be of no interest: it is read when something of it is wanted.
                id = run.directory.blocks[block].first
                return
            }
            let count = run.directory.blocks[block].count
            while row < count, let marks, marks.contains(block << RunFormat.rowShift | row) { row += 1 }
            if row < count {
                if rows == nil { rows = try run.readRows(block, of: section) }
                id = rows?.heads.ids[row]
                return
            }
            block += 1
            row = 0
            rows = nil
        }
    }
}

extension Run {
    /// Gives every record in the order of (section, id), reading each block once and keeping none.
    package func forEachRecord(
        of entities: Set<WireName>? = nil, without marks: RowMarks? = nil,
        _ body: (ObjectID, ObjectRecord) throws -> Void
    ) throws {
        for section in directory.sections {
            if let entities, section.section.entity.map({ !entities.contains($0) }) ?? true { continue }
            var cursor = try RunCursor(self, section, without: marks)
            while let id = cursor.id { try body(id, try cursor.next()) }
        }
    }
}
