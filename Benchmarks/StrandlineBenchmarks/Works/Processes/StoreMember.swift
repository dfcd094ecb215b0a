import Foundation
import Strandline

/// One of the processes of ``StoreProcesses``: says that it is ready, waits for a line, then commits its share.
///
/// `size` is its number and `batch` the number of processes; the store is its parent's.
struct StoreMember: Work {
    static let name = "store-member"
    static let unit = "commits"
    static let count: UInt64 = 200_000

    func run(_ options: RunOptions) async throws -> Measurement {
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        var meter = Meter(commits: Int(options.count))
        FileHandle.standardOutput.write(Data(DriveProcess.ready.utf8))
        _ = readLine()
        meter.restart()
        let latencies = try await StoreConcurrent.commit(options, share: options.size, of: options.batch, to: store)
        for latency in latencies { meter.note(UInt64(latency)) }
        let result = meter.finish(options, operations: UInt64(latencies.count))
        try await store.close()
        return result
    }
}
