import EventLog
import Storage

// Invariants
// * Blocks are in the order of the file; those of one section are neighbours, and their ids ascend from block to block.
// * In a block, `heads` comes first, then `stamps` and `extra` where they are needed, then the properties, ascending.

/// What a run holds and where.
struct RunDirectory: Sendable {
    struct Section: Sendable {
        var section: RunSection
        /// Ascending.
        var properties: [Property]
        var blocks: Range<Int>
        var numbers: [Property: Int] = [:]
    }

    struct Block: Sendable {
        var count: Int
        var first: ObjectID
        var last: ObjectID
        var chunks: [ChunkPlace]
        /// Where the properties begin in `chunks`.
        var firstProperty: Int { chunks.firstIndex { $0.column >= RunFormat.Column.firstProperty } ?? chunks.count }
    }

    var sections: [Section] = []
    var blocks: [Block] = []
    var terms = TermDirectory()

    var rowCount: Int { blocks.reduce(0) { $0 + $1.count } }
}

// The stored form.
extension RunDirectory {
    func write(to writer: inout ByteWriter) {
        writer.count(sections.count)
        for section in sections {
            writer.u8(section.section.entity == nil ? 0 : 1)
            if let entity = section.section.entity { writer.string(entity.text) }
            writer.count(section.properties.count)
            for property in section.properties { writer.property(property) }
            writer.count(section.blocks.count)
            for block in blocks[section.blocks] {
                writer.count(block.count)
                writer.object(block.first)
                writer.object(block.last)
                writer.varint(block.chunks.first?.offset ?? 0)
                writer.count(block.chunks.count)
                for chunk in block.chunks { chunk.write(to: &writer) }
            }
        }
        terms.write(to: &writer)
    }

    init(from reader: inout ByteReader) throws(StorageError) {
        for _ in 0..<(try reader.count(max: reader.remaining, minimumSize: 3)) {
            let entity = try reader.flag("an entity") ? WireName(try reader.string(max: reader.remaining)) : nil
            let section = RunSection(entity: entity)
            guard sections.last.map({ $0.section < section }) ?? true else { throw reader.failure("sections out of order") }
            var properties: [Property] = []
            for _ in 0..<(try reader.count(max: reader.remaining, minimumSize: 2)) {
                let property = try reader.property()
                guard properties.last.map({ $0 < property }) ?? true else {
                    throw reader.failure("properties out of order")
                }
                properties.append(property)
            }
            let start = blocks.count
            for _ in 0..<(try reader.count(max: RunFormat.maximumBlocks - start, minimumSize: 40)) {
                let block = try Block(from: &reader, columns: properties.count)
                if blocks.count > start, blocks[blocks.count - 1].last >= block.first {
                    throw reader.failure("blocks out of order")
                }
                blocks.append(block)
            }
            var entry = Section(section: section, properties: properties, blocks: start..<blocks.count)
            for (number, property) in properties.enumerated() { entry.numbers[property] = number }
            sections.append(entry)
        }
        terms = try TermDirectory(from: &reader)
        try reader.expectEnd()
    }
}

extension RunDirectory.Block {
    fileprivate init(from reader: inout ByteReader, columns: Int) throws(StorageError) {
        let start = reader.position
        count = try reader.count(max: RunFormat.blockRows, minimumSize: 0)
        first = try reader.object()
        last = try reader.object()
        var offset = try reader.size()
        chunks = []
        let many = try reader.count(max: columns + RunFormat.Column.firstProperty, minimumSize: ChunkPlace.minimumSize)
        chunks.reserveCapacity(many)
        for _ in 0..<many {
            let chunk = try ChunkPlace(from: &reader, at: offset, columns: columns)
            guard chunk.column > chunks.last?.column ?? -1 else { throw reader.failure("chunks out of order") }
            offset += UInt64(chunk.storedSize)
            chunks.append(chunk)
        }
        guard count > 0, first <= last, chunks.first?.column == RunFormat.Column.heads else {
            throw .malformed("a block without rows", offset: UInt64(start))
        }
    }
}
