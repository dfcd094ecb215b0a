package import Storage

extension ProjectionDirectory {
    /// Writes the blocks that a mass update changes anew.
    ///
    /// Where those are most of a run, the rest of it is taken along and the old run is done with; else they become a run above
    /// the others, and what they were is marked in the old one. What is written is obsolete until it is published.
    ///
    /// - Returns: the runs that hold everything that `runs` hold, and the update.
    package func rewrite(
        _ runs: RunSet, by update: MassUpdate, _ schema: SchemaState
    ) throws(StorageError) -> RunSet {
        var members = runs.members
        for index in runs.members.indices {
            let run = members[index].run
            let picks = update.picks.filter { $0.block.run === run }.sorted { $0.block.block < $1.block.block }
            // What changes nothing is not written.
            var start = 0
            while start < picks.count, try update.plan(picks[start]) == nil { start += 1 }
            guard start < picks.count else { continue }
            let isWhole = 2 * picks.count >= run.directory.blocks.count
            let (writer, path) = try newWriter()
            var map = RowMap(blocks: run.directory.blocks.count)
            var rewritten: [Int] = []
            var marks = RowMarks()
            var next = start
            for block in run.directory.blocks.indices {
                var stored: StoredBlock?
                if next < picks.count, picks[next].block.block == block {
                    if let planned = try update.plan(picks[next]) { stored = planned.applied(to: try run.storedBlock(block)) }
                    next += 1
                }
                if stored == nil, isWhole { stored = try run.storedBlock(block) }
                guard let stored else { continue }
                let target = try writer.append(stored, in: run.directory.sections[run.sectionIndex(ofBlock: block)].section)
                map.setBlock(block, to: target)
                marks.copy(block, of: members[index].superseded, to: target)
                rewritten.append(block)
            }
            if isWhole {
                _ = try writer.finish(termsOf: run)
                members[index] = try member(path, schema, superseded: marks)
            } else {
                _ = try writer.finish(terms: TermMerge([(run, map)]))
                for block in rewritten { members[index].superseded.insertAll(of: block, run.directory.blocks[block].count) }
                members.append(try member(path, schema, superseded: marks))
            }
        }
        return RunSet(members.filter { $0.superseded.count < $0.run.count })
    }
}
