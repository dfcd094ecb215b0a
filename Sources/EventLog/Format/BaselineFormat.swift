/// The constants of baselines: SPEC.md, sections 4.11 and 5.9.
package enum BaselineFormat {
    package static let version: UInt8 = 1

    /// What a body may have at most.
    package static let maximumBody = 16 << 20
    /// What one entry of an object may have at most; a larger object is spread over several.
    package static let maximumEntry = 2 << 20
    /// How many bodies a file may have: with those of the usual size, 16 TiB.
    package static let maximumBodies = 1 << 24

    // Where a writer stops of its own accord.
    package static let preferredBody = 1 << 20
    package static let preferredEntry = 512 << 10
    /// Chains in one entry of a floor.
    package static let preferredChains = 16 << 10

    /// Where the frames of a baseline's file begin.
    static let framesStart: UInt64 = 4096
    static let footerSize = 64
    static let footerMagic = "STRDBFT1"
    /// Bytes of a body in the table before the footer.
    static let tableEntrySize = 32
}
