/// The exceptions to the rules, each by name.
///
/// An entry that nothing needs any more is a failure too.
enum Allowed {
    /// Files about bytes and system calls.
    ///
    /// A pointer never leaves its file.
    static let unsafe: Set<String> = [
        "Sources/Storage/Checksum.swift", "Sources/Storage/LZ4.swift", "Sources/Commands/StandardStream.swift",
    ]
    /// Files that make system calls.
    static let systemCalls: Set<String> = ["Sources/Commands/StandardStream.swift"]
    /// Files that ask the world for the time or for chance, on behalf of a seam.
    static let nondeterminism: Set<String> = ["Sources/Commands/Terminal+Standard.swift"]
    /// Files that may stop the process on a mistake of the programmer.
    static let preconditions: Set<String> = [
        "Sources/Commands/ArgumentReader.swift", "Sources/Commands/CommandTable.swift",
    ]
    /// Tables, which may be longer than 500 lines.
    static let longFiles: Set<String> = []
    /// Targets of `Sources` whose tests are those of another target.
    static let targetsWithoutTests: Set<String> = [
        "CLZ4", "COpenSSL", "CSystem", "CXXHash", "CommandLineTool",
        "EventLog", "Generators", "Interchange", "Projection", "SampleModel", "Simulation", "Strandline", "SyncProtocol",
    ]
    /// Test files that mirror no source of their target.
    static let testsWithoutSource: Set<String> = []
}
