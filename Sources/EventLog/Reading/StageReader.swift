import Storage

/// Reads the parts of a staged transaction in order, checked against the commit that named them.
package struct StageReader {
    private let commit: StageCommit
    private var cursor: FrameCursor
    private var digests: [Digest128] = []

    init(_ commit: StageCommit, layout: StoreLayout, fileSystem: any FileSystem, dataset: DatasetID) throws(LogError) {
        self.commit = commit
        let path = layout.stage(commit)
        let file: any File
        do throws(StorageError) {
            file = try fileSystem.open(path, .read)
        } catch {
            guard error.code == .notFound else { throw LogError(error) }
            throw LogError(
                .corrupt,
                "the changes of transaction \(commit.sequence) of \(commit.origin) are missing; restore the file from a backup, or repair the store from a replica",
                path: path)
        }
        let bytes = try LogError.wrap { () throws(StorageError) in try file.bytes(at: 0, count: SegmentFormat.headerSize) }
        let header = try SegmentHeader(bytes, kind: .stage, path: path)
        let size = try LogError.wrap { () throws(StorageError) in try file.size() }
        guard header.dataset == dataset else {
            throw LogError(.corrupt, "the file belongs to another dataset; \(LogError.restoration)", path: path)
        }
        guard size == commit.length else {
            throw LogError(
                .corrupt, "the file has \(size) bytes where \(commit.length) were committed; \(LogError.restoration)",
                path: path)
        }
        cursor = try FrameCursor(file, salt: header.salt, from: SegmentFormat.stageFramesStart, to: commit.length)
    }

    /// The next part, or nil behind the last; then the whole has been checked against the chain.
    package mutating func next() throws(LogError) -> PartBytes? {
        guard let (frame, offset) = try cursor.next() else {
            guard Chain.step(commit.previousChain, digests: digests) == commit.chain else {
                throw LogError(
                    .corrupt, "the changes are not those that were committed; \(LogError.restoration)", path: cursor.path)
            }
            return nil
        }
        let body = try LogError.damage(in: cursor.path, at: offset) { () throws(StorageError) in try PartBody(try frame.body())
        }
        guard body.origin == commit.origin, body.sequence == commit.sequence, body.number == UInt64(digests.count) else {
            throw LogError(
                .corrupt, "a part is out of place; \(LogError.restoration)", path: cursor.path, offset: offset)
        }
        digests.append(body.part.digest)
        return body.part
    }
}
