import SampleModel
import Strandline

/// A person with a store of their own.
struct DemoReplica: Sendable {
    let name: String
    let store: Store

    /// - Parameter dataset: whose copy it is; nil to begin a new one.
    init(_ name: String, at path: String, joining dataset: DatasetID? = nil) async throws {
        self.name = name
        var options = Store.Options()
        options.dataset = dataset
        store = try await Store.open(.directory(path), Post.self, Attachment.self, ImageData.self, options: options)
    }

    /// Writes under the person's name.
    @discardableResult
    func write<Value: Sendable>(_ body: sending @escaping (WriteTransaction) throws -> Value) async throws -> Value {
        try await store.write(author: name, body).value
    }

    /// Exchanges with a shared folder.
    ///
    /// - Returns: what came and went, in words.
    func sync(over folder: String) async throws -> String {
        let report = try await store.sync(with: .folder(path: folder))
        return "\(name): got \(Self.text(report.imported)); gave \(Self.text(report.exported))"
    }

    private static func text(_ traffic: SyncReport.Traffic) -> String {
        guard traffic.transactions > 0 || traffic.blobs > 0 else { return "nothing" }
        let transactions = "\(traffic.transactions) \(traffic.transactions == 1 ? "transaction" : "transactions")"
        let size = ProgressLine.bytes(traffic.bytes + traffic.blobBytes)
        return traffic.blobs == 0 ? "\(transactions) (\(size))" : "\(transactions) and \(traffic.blobs) blobs (\(size))"
    }
}
