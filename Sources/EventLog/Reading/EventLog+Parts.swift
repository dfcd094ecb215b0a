import Storage

extension EventLog {
    /// Calls `body` with each part of a transaction in order, holding one in memory at a time when it is staged.
    package func forEachPart(
        of transaction: StoredTransaction, _ body: (PartBytes) throws(LogError) -> Void
    ) throws(LogError) {
        switch transaction.content {
        case .parts(let parts):
            for part in parts { try body(part) }
        case .staged(let commit):
            var reader = try StageReader(commit, layout: layout, fileSystem: environment.fileSystem, dataset: dataset)
            while let part = try reader.next() { try body(part) }
        }
    }
}
