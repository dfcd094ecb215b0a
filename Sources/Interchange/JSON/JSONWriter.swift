// * `pending` holds bytes not yet given to the sink: at most a chunk and one value.
// * `count` is the number of elements of the open array, nil while none is open.

/// Writes JSON to a sink: single values on lines of their own, or one array whose elements come one by one.
///
/// ```swift
/// var writer = JSONWriter(FileByteSink(descriptor: 1))
/// try writer.beginArray()
/// for row in rows { try writer.append(row) }
/// try writer.endArray()
/// try writer.finish()
/// ```
///
/// Strings are written as they are, but for what JSON wants escaped. A Double is written with the fewest digits that
/// read back as the same Double, and always as a number with a point or an exponent; JSON has no text for NaN and
/// infinity, so they become `null`.
package struct JSONWriter: ~Copyable {
    private static let chunk = 64 << 10

    private var sink: any JSONByteSink
    private let sortedKeys: Bool
    private var pending: [UInt8] = []
    private var count: Int?

    /// With `sortedKeys`, every object's members are written in the order of their keys, else in their own.
    package init(_ sink: any JSONByteSink, sortedKeys: Bool = false) {
        self.sink = sink
        self.sortedKeys = sortedKeys
        pending.reserveCapacity(Self.chunk)
    }

    /// Writes a value and a line break.
    ///
    /// Several make NDJSON.
    package mutating func write(_ value: JSONValue) throws(JSONError) {
        precondition(count == nil, "an array is open: append to it, or end it first")
        JSONText.append(value, to: &pending, sortedKeys: sortedKeys)
        pending.append(UInt8(ascii: "\n"))
        try flush(from: Self.chunk)
    }

    package mutating func beginArray() {
        precondition(count == nil, "an array is open already")
        count = 0
        pending.append(UInt8(ascii: "["))
    }

    /// Writes the next element of the open array, on a line of its own.
    package mutating func append(_ element: JSONValue) throws(JSONError) {
        guard let before = count else { preconditionFailure("no array is open") }
        pending.append(contentsOf: (before == 0 ? "\n" : ",\n").utf8)
        JSONText.append(element, to: &pending, sortedKeys: sortedKeys)
        count = before + 1
        try flush(from: Self.chunk)
    }

    package mutating func endArray() {
        guard let elements = count else { preconditionFailure("no array is open") }
        pending.append(contentsOf: (elements == 0 ? "]\n" : "\n]\n").utf8)
        count = nil
    }

    /// Gives the sink what it has not got yet.
    ///
    /// Call it last, once.
    package mutating func finish() throws(JSONError) {
        precondition(count == nil, "an array is open: end it first")
        try flush(from: 1)
    }

    private mutating func flush(from threshold: Int) throws(JSONError) {
        guard pending.count >= threshold else { return }
        try sink.write(pending)
        pending.removeAll(keepingCapacity: true)
    }
}
