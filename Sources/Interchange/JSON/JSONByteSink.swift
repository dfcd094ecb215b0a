/// Where a writer puts its bytes.
package protocol JSONByteSink {
    /// Takes all the bytes, or throws `unwritable`.
    mutating func write(_ bytes: [UInt8]) throws(JSONError)
}
