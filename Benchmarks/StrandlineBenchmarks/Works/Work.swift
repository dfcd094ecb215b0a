/// One thing to measure of ours, in a process of its own.
///
/// A work checks its result: what it returns has the hash of what it read back, and it throws when that is not what it wrote.
protocol Work: Sendable {
    /// As in `strandline-bench drive NAME`.
    static var name: String { get }
    /// What `operations` counts.
    static var unit: String { get }
    /// The size of the full benchmark.
    static var count: UInt64 { get }

    init()

    func run(_ options: RunOptions) async throws -> Measurement
}

/// All of them.
enum Works {
    static let all: [any Work.Type] = [
        LogCommits.self, LogSingle.self, StoreCommits<KeyedPost>.self, StoreCommits<PlainPost>.self, StoreSingle.self,
        StoreConcurrent.self, StoreProcesses.self, StoreMember.self,
        StoreBeside<ReadingCompanion>.self, StoreBeside<BurningCompanion>.self, StoreCompanion<ReadingCompanion>.self,
        StoreCompanion<BurningCompanion>.self, LogReplay.self, LogChanges.self,
        BlobIngest.self, StoreBlobs.self, LargeTransaction.self, LargeBlob.self, StoreFilling.self, StorePoint.self,
        StoreCount.self, StoreGroups.self, StoreFetch.self, StoreUpdate.self, StoreUpdateClosure.self, StoreRemote.self,
        RemoteChanges.self, StoreOpening.self, KilledWriter.self, StoreRebuild.self, StoreScan.self, StoreGrowth.self,
        CatchUpUnix.self, CatchUpFolded.self, CatchUpTLS.self, CatchUpLone.self,
    ]

    static func named(_ name: String) -> (any Work.Type)? { all.first { $0.name == name } }
}

/// A run came to something else than it should have.
package struct BenchmarkError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
