import Storage

/// Reads the parts of a transaction one at a time, as they are asked for.
package struct PartReader {
    private enum Source {
        case memory([PartBytes])
        case stage(StageReader)
    }

    /// How many parts the transaction has.
    package let count: Int
    /// How many were read.
    package private(set) var position = 0
    private var source: Source

    /// - Throws: `corrupt` when the file of a staged transaction is not what was committed.
    package init(_ transaction: StoredTransaction, in log: EventLog) throws(LogError) {
        switch transaction.content {
        case .parts(let parts):
            count = parts.count
            source = .memory(parts)
        case .staged(let commit):
            count = Int(clamping: commit.parts)
            source = .stage(
                try StageReader(commit, layout: log.layout, fileSystem: log.environment.fileSystem, dataset: log.dataset))
        }
    }

    /// Whether the last part was read.
    package var isAtEnd: Bool { position == count }

    /// The next part, or nil behind the last.
    package mutating func next() throws(LogError) -> PartBytes? {
        switch source {
        case .memory(let parts):
            guard position < parts.count else { return nil }
            position += 1
            return parts[position - 1]
        case .stage(var reader):
            let part = try reader.next()
            source = .stage(reader)
            if part != nil { position += 1 }
            return part
        }
    }
}
