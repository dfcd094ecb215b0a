/// Something that takes time and has begun.
package struct RecordSpan: Sendable {
    let kind: RecordKind
    let number: UInt64
    /// Nanoseconds on the clock of the boot.
    let began: UInt64
    /// What is told at its end.
    package var fields: [RecordField] = []
}
