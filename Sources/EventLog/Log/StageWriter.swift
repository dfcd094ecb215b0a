import Storage

/// Writes a stage file: SPEC.md, section 4.5.
struct StageWriter {
    private let layout: StoreLayout
    private let environment: Environment
    private let salt: UInt64
    private let draft: String
    private let file: any File
    private var link: UInt64 = 0
    private var isFirst = true
    /// Bytes written so far.
    private(set) var end: UInt64

    init(_ header: SegmentHeader, in layout: StoreLayout, _ environment: Environment) throws(LogError) {
        self.layout = layout
        self.environment = environment
        salt = header.salt
        draft = "\(layout.temporary)/\(Digest128.hex(environment.random.next())).stage"
        end = SegmentFormat.stageFramesStart
        let path = draft
        file = try LogError.wrap { () throws(StorageError) in
            let file = try environment.fileSystem.open(path, .createNew)
            do throws(StorageError) {
                try file.write(header.encode().span, at: 0)
            } catch {
                file.close()
                try? environment.fileSystem.remove(path)
                throw error
            }
            return file
        }
    }

    mutating func append(_ frame: Frame, isLast: Bool) throws(LogError) {
        var header = frame.header
        header.flags = isFirst ? .firstOfGroup : []
        if isLast { header.flags.insert(.lastOfGroup) }
        header.group = 1
        header.link = link
        let bytes = frame.encoded(as: &header, salt: salt)
        let offset = SegmentFormat.align(end, to: SegmentFormat.frameAlignment)
        try LogError.wrap { () throws(StorageError) in try file.write(bytes.span, at: offset) }
        link = header.checksum
        end = offset + UInt64(bytes.count)
        isFirst = false
    }

    /// Makes the file durable under its name.
    func finish(as path: String) throws(LogError) {
        try LogError.wrap { () throws(StorageError) in
            try file.sync()
            file.close()
            try environment.fileSystem.rename(draft, to: path)
            do throws(StorageError) {
                try environment.fileSystem.syncDirectory(layout.staged)
            } catch {
                try? environment.fileSystem.remove(path)
                throw error
            }
        }
    }

    func discard() {
        file.close()
        // What is left in tmp/ is removed when the store is opened next.
        try? environment.fileSystem.remove(draft)
    }
}
