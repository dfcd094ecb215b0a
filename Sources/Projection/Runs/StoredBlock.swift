import EventLog
import Storage

// Invariants
// * `parts` are in the order of the file: what every block begins with, then the properties, ascending.

/// A block of a run as it is stored, on its way into another run.
struct StoredBlock {
    struct Part {
        /// Where it was; of a new one, only sizes, checksum and bounds are right.
        let place: ChunkPlace
        /// Nil for what is no property's.
        let property: Property?
        let bytes: ArraySlice<UInt8>

        init(_ place: ChunkPlace, _ property: Property?, _ bytes: ArraySlice<UInt8>) {
            self.place = place
            self.property = property
            self.bytes = bytes
        }

        init(_ chunk: PackedChunk, _ property: Property?) {
            let checksum = Checksum.xxh3(chunk.bytes.span)
            place = ChunkPlace(
                column: chunk.column, offset: 0, storedSize: chunk.bytes.count, size: chunk.size, checksum: checksum,
                bounds: chunk.bounds)
            self.property = property
            bytes = chunk.bytes[...]
        }
    }

    let count: Int
    let first: ObjectID
    let last: ObjectID
    let parts: [Part]

    /// Which of the property chunks is a property's; nil for none.
    func propertyPlace(of property: Property) -> Int? {
        guard let first = parts.firstIndex(where: { $0.property != nil }) else { return nil }
        return parts[first...].firstIndex { $0.property == property }.map { $0 - first }
    }
}

extension Run {
    /// A block as it is stored; each chunk's checksum was compared.
    func storedBlock(_ number: Int) throws(StorageError) -> StoredBlock {
        let section = directory.sections[sectionIndex(ofBlock: number)]
        let block = directory.blocks[number]
        let bytes = try readStored(number)
        var parts: [StoredBlock.Part] = []
        parts.reserveCapacity(block.chunks.count)
        var start = 0
        for chunk in block.chunks {
            let column = chunk.column - RunFormat.Column.firstProperty
            let property = column < 0 ? nil : section.properties[column]
            parts.append(StoredBlock.Part(chunk, property, bytes[start..<start + chunk.storedSize]))
            start += chunk.storedSize
        }
        return StoredBlock(count: block.count, first: block.first, last: block.last, parts: parts)
    }
}
