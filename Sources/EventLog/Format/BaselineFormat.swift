/// The constants of baselines: SPEC.md, section 5.9.
package enum BaselineFormat {
    package static let version: UInt8 = 1

    /// What a body may have at most.
    package static let maximumBody = 16 << 20
    /// What one entry of an object may have at most; a larger object is spread over several.
    package static let maximumEntry = 2 << 20

    // Where a writer stops of its own accord.
    package static let preferredBody = 4 << 20
    package static let preferredEntry = 512 << 10
}
