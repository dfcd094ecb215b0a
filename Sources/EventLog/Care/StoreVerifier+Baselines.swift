import Storage

// What stands for transactions that are no longer in the log.
extension StoreVerifier {
    func checkBaselines() throws {
        var known: Set<Digest128> = []
        if let front = manifest?.baseline {
            known.insert(front)
            if let floor = try checkBaseline(front), let frontIndex { compare(floor, with: frontIndex, in: front) }
        }
        let before = Set(frontIndex?.joined.map(\.identity) ?? [])
        for baseline in state?.joined ?? [] where !before.contains(baseline.identity) {
            known.insert(baseline.identity)
            _ = try checkBaseline(baseline.identity)
        }
        if state != nil { knownBaselines = known }
    }

    /// Reads a baseline to its end; returns its floor, nil when it is damaged.
    private func checkBaseline(_ identity: Digest128) throws -> [Baseline.FloorEntry]? {
        let path = layout.baseline(identity)
        guard let dataset else { return nil }
        do throws(LogError) {
            let file = try BaselineFile(path, identity: identity, dataset: dataset, in: fileSystem)
            report.baselines += 1
            var frame = Baseline()
            var last: ObjectID?
            for number in file.bodies.indices {
                var reader = try file.reader(number)
                for entry in reader.floor { frame.join(entry) }
                try LogError.damage(in: path, at: file.bodies[number].offset) { () throws(StorageError) in
                    while let object = try reader.next() {
                        guard last.map({ $0 <= object.id }) ?? true else { throw .malformed("objects that do not ascend") }
                        last = object.id
                        for case .blob(let blob) in object.registers.map(\.value) { named.insert(blob.id.high.high) }
                    }
                }
                report.frames += 1
                // Bytes are counted as they are read, so that who watches sees it go on.
                report.bytes += UInt64(file.bodies[number].storedSize)
            }
            return frame.floor
        } catch {
            if error.underlying?.code == .notFound {
                problem(path, nil, "the baseline of the log is missing")
            } else {
                problem(error, in: path)
            }
            return nil
        }
    }

    /// Compares a floor with what the first segment says was received before it.
    private func compare(_ floor: [Baseline.FloorEntry], with index: SegmentIndex, in identity: Digest128) {
        // What was one branch then may be several by what the baseline tells; where it ended is where one of them does.
        let ends = Set(floor.map { BranchPosition(sequence: $0.sequence, chain: $0.chain) })
        for branch in index.branches.branches where !branch.isForked && branch.last.sequence >= branch.root.firstSequence {
            guard !ends.contains(branch.last) else { continue }
            problem(
                layout.baseline(identity), nil,
                "the log begins behind transaction \(branch.last.sequence) of \(branch.root.origin), and its baseline does not go there"
            )
        }
    }
}
