import Storage

// Invariants
// * Each source stands at the first of its pairs that was not given yet; `block` is the one it is in.

/// The terms of several runs as those of the one that they are merged into: sorted already, so that none need be kept.
struct TermMerge {
    private struct Source {
        let run: Run
        let rows: RowMap
        var number = 0
        var block: TermBlock?
        var place = 0

        /// The hash of the pair it stands at; the highest, which is one as well, behind the last.
        private(set) var hash = UInt64.max

        mutating func load() throws(StorageError) {
            block = number < run.directory.terms.firsts.count ? try run.readTerms(number) : nil
            place = 0
            hash = block?.hashes.first ?? .max
        }

        mutating func step() throws(StorageError) {
            place += 1
            guard let block else { return }
            if place < block.hashes.count {
                hash = block.hashes[place]
            } else {
                number += 1
                try load()
            }
        }
    }

    private var sources: [Source]

    /// Not more than as many terms come.
    var count: Int { sources.reduce(0) { $0 + $1.run.directory.terms.count } }

    init(_ runs: [(run: Run, rows: RowMap)]) { sources = runs.map { Source(run: $0.run, rows: $0.rows) } }

    /// Gives every pair whose row went somewhere, ascending by hash and row.
    mutating func forEachPair(_ body: (TermPair) throws(StorageError) -> Void) throws(StorageError) {
        for index in sources.indices { try sources[index].load() }
        var rows: [UInt32] = []
        while true {
            var hash = UInt64.max
            for index in sources.indices { hash = min(hash, sources[index].hash) }
            if hash == .max, sources.allSatisfy({ $0.block == nil }) { break }
            rows.removeAll(keepingCapacity: true)
            for index in sources.indices where sources[index].hash == hash {
                while sources[index].hash == hash, let block = sources[index].block {
                    if let row = sources[index].rows[Int(block.rows[sources[index].place])] { rows.append(row) }
                    try sources[index].step()
                }
            }
            if rows.count > 1 { rows.sort() }
            for row in rows { try body(TermPair(hash: hash, row: row)) }
        }
    }
}
