package import FoundationEssentials
import Storage
package import Strandline

/// A post as applications declare it.
package protocol StoredPost: Entity, Sendable {
    init()
    var title: String { get set }
    var content: String { get set }
    var views: Int { get set }
    var date: Date { get set }
    var key: UUID? { get set }
    static var isKeyed: Bool { get }
}

extension StoredPost {
    package init(_ record: PostRecord) {
        self.init()
        title = record.title
        content = record.content
        views = Int(record.views)
        date = Date(timeIntervalSinceReferenceDate: PostRecord.referenceSeconds(record.date))
        key = UUID(record.key)
    }

    /// Proof that all of it was looked at: see `post_touch` of the peers.
    package var touch: UInt64 {
        UInt64(bitPattern: Int64(views) &+ PostRecord.milliseconds(date.timeIntervalSinceReferenceDate))
            &+ UInt64(title.utf8.count + content.utf8.count) &+ Touch64.sum(content.utf8Span.span)
    }

    /// Nil for one without a key.
    package var record: PostRecord? {
        guard let key else { return nil }
        return PostRecord(
            key: Digest128(key), title: title, content: content, views: Int64(views),
            date: PostRecord.milliseconds(date.timeIntervalSinceReferenceDate))
    }
}

extension UUID {
    fileprivate init(_ digest: Digest128) {
        var value = digest
        var bytes: [UInt8] = []
        for _ in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: value.high >> 56))
            value.high <<= 8
        }
        for _ in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: value.low >> 56))
            value.low <<= 8
        }
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9], bytes[10],
                bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}

extension Digest128 {
    fileprivate init(_ key: UUID) {
        let u = key.uuid
        let high = [u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let low = [u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(high: high, low: low)
    }
}
