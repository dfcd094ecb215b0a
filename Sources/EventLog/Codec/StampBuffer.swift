import Storage

/// The stamps of overwritten writes, row by row; a row without one had no value.
package struct StampBuffer: Sendable {
    private var presence = Presence()
    private var stamps: [Stamp] = []

    package init() {}

    /// Rows appended so far.
    package var rows: Int { presence.count }

    package mutating func append(_ stamp: Stamp?) {
        presence.append(stamp != nil)
        if let stamp { stamps.append(stamp) }
    }

    func write(_ rows: Range<Int>, to writer: inout ByteWriter, origins: inout OriginTable) {
        presence.write(rows, to: &writer)
        let values = presence.rank(rows.lowerBound)..<presence.rank(rows.upperBound)
        if !values.isEmpty { writer.stamps(stamps.span.extracting(values), origins: &origins) }
    }
}
