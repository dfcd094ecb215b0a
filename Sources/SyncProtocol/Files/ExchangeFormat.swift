import EventLog
import Storage

/// The numbers and names of an exchange folder that writer and reader share: SPEC.md, section 10.
enum ExchangeFormat {
    static let magic = "STRDEXC1"
    static let major: UInt16 = 1
    static let minor: UInt16 = 0
    static let headerSize = 128
    /// Where the frames begin.
    static let framesStart: UInt64 = 128

    /// Logical bytes after which a batch is closed.
    static let preferredBatch = SegmentFormat.frameLimit - 4096
    /// Stored bytes after which a file is closed.
    static let preferredFile: UInt64 = 16 << 20

    /// Milliseconds after which an unfinished file is one that nobody will finish.
    static let leftoverAge: UInt64 = 3_600_000

    static let suffix = ".strdx"
    /// Stands before the suffix when blobs that the transactions name were not published with them.
    static let lackingMark = "-lacking"

    /// The name of a file with these transactions.
    static func name(_ stretch: Stretch, isLacking: Bool) -> String {
        "\(stretch.origin)-\(Digest128.hex(stretch.first))-\(Digest128.hex(stretch.last))-\(stretch.before)-\(stretch.after)"
            + (isLacking ? lackingMark : "") + suffix
    }

    /// What a name says; nil when it is not exactly what ``name(_:isLacking:)`` gives.
    static func parse(_ name: String) -> (stretch: Stretch, isLacking: Bool)? {
        guard name.hasSuffix(suffix) else { return nil }
        var stem = name.dropLast(suffix.utf8.count)
        let isLacking = stem.hasSuffix(lackingMark)
        if isLacking { stem = stem.dropLast(lackingMark.utf8.count) }
        let fields = stem.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 5, let origin = ReplicaID(fields[0]), let first = UInt64(fields[1], radix: 16),
            let last = UInt64(fields[2], radix: 16), let before = Digest128(fields[3]), let after = Digest128(fields[4])
        else { return nil }
        let stretch = Stretch(origin: origin, first: first, last: last, before: before, after: after)
        guard stretch.isPlausible, Self.name(stretch, isLacking: isLacking) == name else { return nil }
        return (stretch, isLacking)
    }

    /// The name of an unfinished file; such begin with a dot, which most programs that share folders leave alone.
    static func draftName(_ number: UInt64) -> String { ".\(Digest128.hex(number)).tmp" }

    static func isDraft(_ name: String) -> Bool {
        name.utf8.count == 21 && name.hasPrefix(".") && name.hasSuffix(".tmp")
            && UInt64(name.dropFirst().prefix(16), radix: 16).map { draftName($0) == name } ?? false
    }
}
