import EventLog
import Foundation
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

@Suite struct RecordFieldTests {
    private static let secret = "hunter2"

    /// Of what is in a store, and of what was tried with it, nothing is in the log files.
    @Test func noValueIsInTheLogFiles() async throws {
        let environment = Environment.inMemory()
        let files = environment.fileSystem
        var options = Store.Options()
        options.writesLogFiles = true
        let store = try await Store.open(
            .environment("/store", environment), Post.self, Attachment.self, ImageData.self, options: options)
        let secret = Self.secret
        let post = try await store.write(author: secret) { tx in
            let post = try tx.insert(Post(title: secret))
            let attachment = try tx.insert(Attachment(name: secret, post: post.id))
            _ = try tx.insert(
                ImageData(data: Blob(Array(String(repeating: secret, count: 20_000).utf8)), attachment: attachment.id))
            return post.id
        }.value
        await #expect(throws: StoreError.self) {
            try await store.write { _ in throw StoreError(.denied, "the title '\(secret)' is taken") }
        }
        #expect(throws: (any Error).self) { try store.count(of: "Post", where: Filter("titel == '\(secret)'")) }
        try files.createDirectory("/shared")
        try await store.sync(with: .folder(path: "/shared"))
        try await store.write { tx in try tx.delete(post) }
        try await store.compact()
        try await store.rebuild()
        try await store.trim(before: store.token)
        #expect(throws: StoreError.self) {
            try store.records.measure(.compaction) { _ in throw StoreError(.duplicateKey, "\(secret) has the key already") }
        }
        store.records.note(.peerRefused, error: StoreError(.badPeer, "the peer said '\(secret)'"))
        store.records.note(.peerRefused, error: Unknown(text: secret))
        try await store.close()
        let text = try RecordText.lines(in: "/store/logs", files).joined()
        #expect(text.contains("duplicateKey") && text.contains("badPeer") && text.contains("Unknown"))
        #expect(!text.contains(secret))
    }

    private struct Unknown: Error {
        let text: String
    }

    @Test func ofACommandOnlyTheFirstWordIsRecorded() throws {
        #expect(RecordField.peer("exec:ssh -i \(Self.secret) host").content == .text("exec:ssh …"))
        #expect(RecordField.peer("exec:connect").content == .text("exec:connect"))
        #expect(RecordField.peer("unix:/run/a b").content == .text("unix:/run/a b"))
    }

    /// Where it is in the store is told, and not where the store is.
    @Test func pathsAreThoseWithinTheStore() throws {
        let record = StoreRecord(
            time: 0, level: .info, kind: .quarantined, fields: [.file("/home/\(Self.secret)/store/log/a.seg")])
        let line = String(decoding: record.line(opening: "", root: "/home/\(Self.secret)/store"), as: UTF8.self)
        #expect(line.contains(#""file":"log/a.seg""#) && !line.contains(Self.secret))
        let other = String(decoding: record.line(opening: "", root: "/elsewhere"), as: UTF8.self)
        #expect(other.contains(#""file":"a.seg""#) && !other.contains(Self.secret))
    }
}
