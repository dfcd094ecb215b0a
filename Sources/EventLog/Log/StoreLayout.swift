import Storage

/// Where things lie in a store's directory: SPEC.md, section 2.
package struct StoreLayout: Sendable {
    package let root: String

    package init(root: String) { self.root = root }

    package var lock: String { root + "/LOCK" }
    package var next: String { root + "/NEXT" }
    package var identity: String { root + "/IDENTITY" }
    package var manifest: String { root + "/MANIFEST" }
    package var shared: String { root + "/SHARED" }
    package var log: String { root + "/log" }
    package var staged: String { root + "/staged" }
    package var blobs: String { root + "/blobs" }
    /// Derived from the log; nothing here is needed.
    package var runs: String { root + "/runs" }
    /// What the store did, for people: nothing here is needed.
    package var logs: String { root + "/logs" }
    package var quarantine: String { root + "/quarantine" }
    package var temporary: String { root + "/tmp" }

    package var directories: [String] { [log, staged, blobs, quarantine, temporary] }

    package func segment(ordinal: UInt64, firstLSN: UInt64) -> String {
        "\(log)/\(Digest128.hex(ordinal))-\(Digest128.hex(firstLSN)).seg"
    }

    package func stage(_ commit: StageCommit) -> String { "\(staged)/\(commit.fileName)" }

    /// The ordinal and first LSN in a segment's file name; nil for any other name.
    package static func parse(segment name: String) -> (ordinal: UInt64, firstLSN: UInt64)? {
        guard name.utf8.count == 37, name.hasSuffix(".seg") else { return nil }
        let parts = name.dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 16, let ordinal = UInt64(parts[0], radix: 16),
            let firstLSN = UInt64(parts[1], radix: 16),
            name == "\(Digest128.hex(ordinal))-\(Digest128.hex(firstLSN)).seg"
        else { return nil }
        return (ordinal, firstLSN)
    }
}
