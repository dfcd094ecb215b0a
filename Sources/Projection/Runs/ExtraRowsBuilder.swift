import Storage

/// Collects the whole records of a block.
struct ExtraRowsBuilder {
    private var places = ByteWriter()
    private var records = ByteWriter()
    private var next = 0
    private(set) var count = 0

    var byteCount: Int { records.count }

    mutating func append(_ record: ObjectRecord, row: Int) {
        let start = records.count
        records.record(record)
        places.count(row - next)
        places.count(records.count - start)
        next = row + 1
        count += 1
    }

    func write(to writer: inout ByteWriter) {
        writer.count(count)
        writer.raw(places.bytes)
        writer.raw(records.bytes)
    }
}
