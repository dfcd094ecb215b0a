import EventLog
package import Storage

/// A post as the benchmarks store it, under any interface.
package struct PostRecord: Sendable, Hashable {
    package var key: Digest128
    package var title: String
    package var content: String
    package var views: Int64
    /// Milliseconds since 1970.
    package var date: Int64

    static let entity = "Post"
    /// In the order in which ``append(to:)`` fills them.
    static let properties = [
        Property("content", .string), Property("date", .date), Property("key", .uuid), Property("title", .string),
        Property("views", .int),
    ]

    /// One row more in each of the columns of ``properties``.
    func append(to columns: inout [ColumnBuffer]) {
        columns[0].append(content)
        columns[1].append(Self.referenceSeconds(date))
        columns[2].append(key)
        columns[3].append(title)
        columns[4].append(views)
    }

    /// XXH3-64 of key and value bytes: equal sums of these mean equal data, whatever the order.
    package var hash: UInt64 {
        var writer = ByteWriter(capacity: 128)
        writer.u64(key.high.byteSwapped)
        writer.u64(key.low.byteSwapped)
        writer.u16(UInt16(title.utf8.count))
        writer.u16(UInt16(content.utf8.count))
        writer.u64(UInt64(bitPattern: views))
        writer.u64(UInt64(bitPattern: date))
        writer.raw(Array(title.utf8))
        writer.raw(Array(content.utf8))
        return Checksum.xxh3(writer.bytes.span)
    }

    /// Bytes of key and value.
    var size: UInt64 { UInt64(36 + title.utf8.count + content.utf8.count) }

    private static let referenceMilliseconds: Int64 = 978_307_200_000

    /// Seconds since 2001, as dates are stored, of milliseconds since 1970.
    static func referenceSeconds(_ milliseconds: Int64) -> Double { Double(milliseconds - referenceMilliseconds) / 1000 }

    /// Milliseconds since 1970 of seconds since 2001.
    static func milliseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1000).rounded()) + referenceMilliseconds }
}
