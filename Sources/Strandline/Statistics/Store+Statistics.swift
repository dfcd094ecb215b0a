import Projection
import Storage

extension Store {
    /// What the store has done since it was opened, and how it lies on disk and in memory; a look at what is at hand.
    ///
    /// - Throws: `closed`, and as all reading does.
    public func statistics() throws -> StoreStatistics {
        try engine.checkReadable()
        return try engine.statistics()
    }
}

extension Engine {
    fileprivate func statistics() throws -> StoreStatistics {
        try StoreError.wrap {
            let state = try state()
            let runs = (state.objects.base as? RunSet)?.members ?? []
            let cache = blockCache
            let counts = cache.counts
            return StoreStatistics(
                operations: operations.all,
                runs: runs.map {
                    StoreStatistics.RunFigures(rows: $0.run.count, superseded: $0.superseded.count, bytes: $0.run.byteCount)
                }, memoryBytes: state.objects.memoryBytes, cacheHits: counts.hits, cacheMisses: counts.misses,
                cacheBytes: counts.bytes, cacheBudget: cache.budget, peakResidentBytes: Self.peakResidentBytes)
        }
    }

    /// VmHWM, as Linux tells it.
    private static var peakResidentBytes: UInt64? {
        guard let file = try? POSIXFileSystem().open("/proc/self/status", .read) else { return nil }
        defer { file.close() }
        var buffer = [UInt8](repeating: 0, count: 8_192)
        var span = buffer.mutableSpan
        guard let count = try? file.read(into: &span, at: 0) else { return nil }
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        return UInt64(line.drop { !$0.isNumber }.prefix { $0.isNumber }).map { $0 << 10 }
    }
}
