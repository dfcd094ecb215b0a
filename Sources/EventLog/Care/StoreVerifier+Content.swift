import Storage

// Stage files, and what transactions contain.
extension StoreVerifier {
    /// Checks the file that holds a staged transaction, part by part.
    func checkStage(_ commit: StageCommit) throws {
        let path = layout.stage(commit)
        knownStages.insert(commit.fileName)
        report.stages += 1
        let file: any File
        do throws(StorageError) {
            file = try fileSystem.open(path, .read)
        } catch {
            guard error.code == .notFound else { return problem(error, in: path) }
            return problem(path, nil, "the changes of transaction \(commit.sequence) of \(commit.origin) are missing")
        }
        defer { file.close() }
        file.dropCache()
        do {
            let size = try file.size()
            if size != commit.length { problem(path, nil, "the file has \(size) bytes where \(commit.length) were committed") }
            let header = try file.bytes(at: 0, count: SegmentFormat.headerSize)
            guard let salt = salt(of: header, path) else { return }
            try checkParts(of: commit, in: file, salt: salt, to: min(size, commit.length))
        } catch let error as StorageError {
            problem(error, in: path)
        }
    }

    private func salt(of bytes: [UInt8], _ path: String) -> UInt64? {
        do throws(LogError) {
            let header = try SegmentHeader(bytes, kind: .stage, path: path)
            if header.dataset != dataset || header.log != log || header.ordinal != 0 || header.firstLSN != 0 {
                problem(path, 0, "the file belongs to another store")
            }
            return header.salt
        } catch {
            problem(error, in: path)
            return nil
        }
    }

    private func checkParts(of commit: StageCommit, in file: any File, salt: UInt64, to end: UInt64) throws {
        var window = try ReadWindow(file)
        var stage = StageWalk()
        var offset = SegmentFormat.stageFramesStart
        try advance(min(offset, end))
        while offset < end {
            let start = offset
            switch try readFrame(at: offset, in: &window, salt: salt) {
            case .header:
                if !stage.isBroken {
                    problem(file.path, offset, "a frame's header is missing or does not match its checksum")
                }
                stage.isBroken = true
                offset += SegmentFormat.frameAlignment
            case .body(_, let frameEnd):
                problem(file.path, offset, "a frame's body does not match its checksum")
                stage.isBroken = true
                offset = SegmentFormat.align(frameEnd, to: SegmentFormat.frameAlignment)
            case .whole(let frame, let frameEnd):
                report.frames += 1
                try checkZeros(min(stage.end, offset)..<offset, in: &window)
                do throws(StorageError) {
                    let body = try PartBody(frame.body())
                    try stage.take(frame.header, body, at: offset, to: frameEnd)
                    checkContent(
                        of: body.part, number: body.number, origin: commit.origin, sequence: commit.sequence, at: offset,
                        in: file.path)
                } catch {
                    problem(error, in: file.path, at: offset)
                    stage.isBroken = true
                }
                offset = SegmentFormat.align(frameEnd, to: SegmentFormat.frameAlignment)
            }
            try advance(min(offset, end) - start)
        }
        if !stage.isBroken, !stage.isComplete(for: commit) {
            problem(file.path, nil, "the changes are not those that were committed")
        }
    }

    /// Decodes a part; what is wrong with it was written so, for its checksum is right.
    func checkContent(
        of part: PartBytes, number: UInt64, origin: ReplicaID, sequence: UInt64, at offset: UInt64, in path: String
    ) {
        do throws(StorageError) {
            let isFurther = (part.slice.first ?? 0) & TransactionFormat.Flag.continuation != 0
            guard isFurther == (number > 0) else { throw .malformed("a first part and a further one are mistaken") }
            var groups = try decoder.groups(of: part, origin: origin, sequence: sequence)
            while let group = try groups.next() {
                report.changes += group.count
                try checkBlobs(in: group)
            }
        } catch {
            let what = "part \(number) of transaction \(sequence) of \(origin): \(error.detail ?? error.description)"
            if error.code == .newerVersion || error.code == .unsupported {
                isAnythingUnread = true
                note(path, offset, what, "use a newer version to read and check it")
            } else {
                problem(path, offset, what, Self.report)
            }
        }
    }

    private func checkBlobs(in group: ChangeGroup) throws(StorageError) {
        switch group {
        case .insert(let inserts): for column in inserts.columns { try checkBlobs(in: column.values) }
        case .update(let updates):
            for column in updates.columns {
                try checkBlobs(in: column.new)
                try checkBlobs(in: column.old)
            }
        case .delete(let rows), .restore(let rows): for column in rows.columns { try checkBlobs(in: column.values) }
        case .edge, .increment, .schema, .rename, .undo, .unknown: break
        }
    }

    private func checkBlobs(in column: DecodedColumn) throws(StorageError) {
        guard case .blobs(let references) = column.values else { return }
        for case .some(let reference) in references { try check(reference) }
    }

    private func check(_ reference: BlobReference) throws(StorageError) {
        if let inline = reference.inline {
            guard BlobHasher.hash(inline.span) == reference.id else {
                throw .malformed("a value that is not the blob it is called by")
            }
            return
        }
        named.insert(reference.id.high.high)
        // A bounded memory of what was looked up; to look twice costs only time.
        if lookedUp.count >= 1 << 15 { lookedUp.removeAll(keepingCapacity: true) }
        guard lookedUp.insert(reference.id).inserted else { return }
        let path = layout.path(of: reference.id)
        guard let found = try fileSystem.attributes(of: path), !found.isDirectory, !found.isSpecial else {
            report.blobsElsewhere += 1
            return
        }
        // Its bytes are hashed later; the length is part of the name.
        if found.size != reference.length {
            problem(path, nil, "the blob has \(found.size) bytes, and a transaction says \(reference.length)")
        }
    }
}
