import Storage

extension BlobStore {
    /// Reads every file from the device and compares its bytes with its name.
    ///
    /// Changes nothing.
    ///
    /// - Parameter progress: Called after each file with the files and bytes so far; what it throws ends the work.
    package func verify(progress: (_ files: Int, _ bytes: UInt64) throws -> Void = { _, _ in }) throws -> BlobVerification {
        var result = BlobVerification()
        for name in try names(in: layout.blobs) {
            let directory = Path.join(layout.blobs, name)
            guard StoreLayout.isBlobDirectory(name), try attributes(directory)?.isDirectory == true else {
                result.unknown.append(directory)
                continue
            }
            for file in try names(in: directory) {
                let path = Path.join(directory, file)
                guard let found = try attributes(path) else { continue }
                guard !found.isDirectory, !found.isSpecial, let id = StoreLayout.parse(blob: file) else {
                    result.unknown.append(path)
                    continue
                }
                try check(path, id, &result)
                if !file.hasPrefix(name) { result.misplaced.append(path) }
                try progress(result.files, result.bytes)
            }
        }
        return result
    }

    private func check(_ path: String, _ id: BlobID, _ result: inout BlobVerification) throws {
        do throws(StorageError) {
            let file = try fileSystem.open(path, .read)
            defer { file.close() }
            file.dropCache()
            let (actual, length) = try hash(file)
            result.files += 1
            result.bytes += length
            if actual != id { result.damaged.append(.init(id: id, path: path, actual: actual)) }
        } catch {
            // Evicted meanwhile.
            if error.code == .notFound { return }
            result.damaged.append(.init(id: id, path: path, failure: error))
        }
    }

    private func hash(_ file: any File) throws(StorageError) -> (id: BlobID, length: UInt64) {
        var hasher = BlobHasher()
        var buffer = [UInt8](repeating: 0, count: BlobFormat.chunkSize)
        while true {
            var span = buffer.mutableSpan
            let count = try file.read(into: &span, at: hasher.length)
            hasher.update(buffer.span.extracting(0..<count))
            if count < buffer.count { break }
        }
        let length = hasher.length
        return (hasher.finalize(), length)
    }

    private func attributes(_ path: String) throws(LogError) -> FileAttributes? {
        try LogError.wrap { () throws(StorageError) in try fileSystem.attributes(of: path) }
    }
}
