/// What a run that was written has.
package struct RunSummary: Sendable, Equatable {
    package var rowCount = 0
    package var blockCount = 0
    package var termCount = 0
    package var byteCount: UInt64 = 0
}
