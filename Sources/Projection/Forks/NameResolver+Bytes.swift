import EventLog
package import Storage

// A resolver as it lies beside the runs whose objects it named; SPEC.md, section 12.
extension NameResolver {
    package func encode() -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(learnt)
        writer.count(lines.count)
        for line in lines {
            line.root.append(to: &writer)
            writer.count(line.parent.map { $0 + 1 } ?? 0)
            writer.digest(line.name.bits)
            writer.u64(line.start.rawValue)
        }
        writer.count(places.count)
        for (chain, number) in places.sorted(by: { $0.key < $1.key }) {
            writer.digest(chain)
            writer.count(number)
        }
        writer.count(open.count)
        for chain in open.sorted() { writer.digest(chain) }
        writer.count(pasts.count)
        for (number, past) in pasts.sorted(by: { $0.key < $1.key }) {
            writer.count(number)
            writer.varint(past.sequence)
            writer.u8(past.isPlain ? 1 : 0)
            writer.count(past.entries.count)
            for entry in past.entries.values.sorted(by: { $0.origin < $1.origin }) {
                writer.digest(entry.origin.bits)
                writer.varint(entry.sequence)
                writer.digest(entry.chain)
            }
        }
        return writer.bytes
    }

    /// - Throws: `malformed` for anything but what ``encode()`` gives.
    package init(_ bytes: [UInt8]) throws(StorageError) {
        var reader = ByteReader(bytes)
        let learnt = try reader.varint()
        var lines: [Line] = []
        let count = try reader.count(max: 1 << 24, minimumSize: 42)
        for _ in 0..<count {
            let root = try BranchRoot(from: &reader)
            let parent = try reader.count(max: count)
            lines.append(
                Line(
                    root: root, parent: parent == 0 ? nil : parent - 1, name: ReplicaID(try reader.digest()),
                    start: Timestamp(rawValue: try reader.u64())))
        }
        var places: [Digest128: Int] = [:]
        for _ in 0..<(try reader.count(max: 1 << 30, minimumSize: 17)) {
            places[try reader.digest()] = try Self.number(&reader, below: count)
        }
        self.init(lines, places: places)
        guard lines.indices.allSatisfy({ path(to: $0).prefix(count + 1).count { _ in true } <= count }) else {
            throw reader.failure("branches that leave each other in a circle")
        }
        self.learnt = learnt
        for _ in 0..<(try reader.count(max: 1 << 30, minimumSize: 16)) { open.insert(try reader.digest()) }
        for _ in 0..<(try reader.count(max: count, minimumSize: 4)) {
            let number = try Self.number(&reader, below: count)
            var past = Past(sequence: try reader.varint(), isPlain: try reader.u8() == 1)
            for _ in 0..<(try reader.count(max: 1 << 24, minimumSize: 33)) {
                let origin = ReplicaID(try reader.digest())
                past.entries[origin] = ContextEntry(
                    origin: origin, sequence: try reader.varint(), chain: try reader.digest())
            }
            pasts[number] = past
        }
        try reader.expectEnd()
    }

    private static func number(_ reader: inout ByteReader, below count: Int) throws(StorageError) -> Int {
        let number = try reader.count(max: count)
        guard number < count else { throw reader.failure("branch \(number) of \(count)") }
        return number
    }
}
