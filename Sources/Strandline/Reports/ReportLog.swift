// Invariants
// * `reports` holds the latest ones, at most `capacity`.
// * `listener` is called on a thread of its own, without any lock of the store.

import Storage
import Synchronization

/// Where a store's floors say what they noticed.
final class ReportLog: Sendable {
    private static let capacity = 100

    private let reports = Mutex<[StoreReport]>([])
    private let listener: (@Sendable (StoreReport) -> Void)?

    private let records: RecordLog?

    init(_ listener: (@Sendable (StoreReport) -> Void)? = nil, _ records: RecordLog? = nil) {
        self.listener = listener
        self.records = records
    }

    var latest: [StoreReport] { reports.withLock { $0 } }

    func add(_ report: StoreReport) {
        reports.withLock { reports in
            if reports.count == Self.capacity { reports.removeFirst() }
            reports.append(report)
        }
        records?.note(report)
        guard let listener else { return }
        // Where no thread can be had the listener misses it; `latest` has it.
        try? WorkerThreads.run { listener(report) }
    }
}
