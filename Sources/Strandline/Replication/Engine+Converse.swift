import EventLog
import Storage
import SyncProtocol
import Transports

extension Engine {
    /// Exchanges with a peer what either lacks, by a session of its own.
    func converse(
        with transport: any Transport, _ blobs: BlobPolicy, _ progress: @escaping @Sendable (ExchangeProgress) -> Void
    ) throws -> ExchangeReport {
        let channel = try connect(transport)
        let outcome = try converse(
            on: channel,
            PeerLoop.Purpose(
                isLive: false, blobs: blobs,
                onProgress: { made in
                    progress(
                        ExchangeProgress(phase: .importing, done: made.received.new, total: 0, report: ExchangeReport(made)))
                }))
        if let error = outcome.error { throw error }
        return ExchangeReport(outcome.progress)
    }
}
