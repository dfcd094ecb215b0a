/// The exceptions to the rules, each by name.
///
/// An entry that nothing needs any more is a failure too.
enum Allowed {
    /// Files about bytes and system calls.
    ///
    /// A pointer never leaves its file.
    static let unsafe: Set<String> = [
        "Sources/Commands/StandardStream.swift",
        "Sources/EventLog/Codec/ByteColumn.swift",
        "Sources/EventLog/Codec/ByteReader+Columns.swift",
        "Sources/EventLog/Codec/ByteWriter+Columns.swift",
        "Sources/EventLog/Codec/ColumnBuffer.swift",
        "Sources/EventLog/Model/Value.swift",
        "Sources/Interchange/JSON/FileByteSink.swift",
        "Sources/Interchange/JSON/FileByteSource.swift",
        "Sources/Projection/Scan/ByteSearch.swift",
        "Sources/Projection/Scan/SlotBits.swift",
        "Sources/Projection/Scan/TextCodes.swift",
        "Sources/Projection/Scan/TextColumn.swift",
        "Sources/Storage/ByteReader.swift",
        "Sources/Storage/ByteWriter.swift",
        "Sources/Storage/Checksum.swift",
        "Sources/Storage/LZ4.swift",
        "Sources/Storage/Memory/SparseBytes.swift",
        "Sources/Storage/POSIX/InotifyWatcher.swift",
        "Sources/Storage/POSIX/POSIXFile.swift",
        "Sources/Storage/POSIX/POSIXFileSystem.swift",
        "Sources/Storage/POSIX/POSIXSharedPage.swift",
        "Sources/Storage/POSIX/SystemCall.swift",
        "Sources/Storage/SHA256.swift",
        "Sources/Storage/System/HostIdentity+Current.swift",
        "Sources/Storage/System/SystemClock.swift",
        "Sources/Storage/System/WorkerThreads.swift",
        "Sources/Storage/WakeSignal.swift",
        "Sources/Strandline/Model/StoredProperty.swift",
        "Sources/TLSTransport/OpenSSL/DeviceKey.swift",
        "Sources/TLSTransport/OpenSSL/OpenSSLFailure.swift",
        "Sources/TLSTransport/OpenSSL/TLSContext.swift",
        "Sources/TLSTransport/OpenSSL/TLSEngine.swift",
        "Sources/Transports/Descriptors/DescriptorChannel+Standard.swift",
        "Sources/Transports/InProcess/RingBuffer.swift",
        "Sources/Transports/POSIX/ChildProcess.swift",
        "Sources/Transports/POSIX/Descriptor.swift",
        "Sources/Transports/POSIX/Poller.swift",
        "Sources/Transports/POSIX/Socket.swift",
        "Sources/Transports/POSIX/SocketAddress.swift",
        "Sources/Transports/POSIX/SocketFile.swift",
    ]
    /// Files outside `Storage/POSIX` that make system calls.
    static let systemCalls: Set<String> = [
        "Sources/Commands/StandardStream.swift",
        "Sources/Interchange/JSON/FileByteSource.swift",
        "Sources/Transports/Descriptors/DescriptorChannel+Standard.swift",
        "Sources/Transports/POSIX/Descriptor.swift",
        "Sources/Transports/POSIX/SocketFile.swift",
    ]
    /// Files outside `Storage/System` that ask the world for the time or for chance.
    static let nondeterminism: Set<String> = ["Sources/Commands/Terminal+Standard.swift"]
    /// Files that end in `preconditionFailure` where the type system cannot say that a case is impossible.
    static let preconditions: Set<String> = [
        "Sources/EventLog/Codec/ColumnBuffer+Rows.swift",
        "Sources/Interchange/JSON/JSONWriter.swift",
        "Sources/Storage/SHA256.swift",
        "Sources/Strandline/Model/ColumnAccess.swift",
        "Sources/Strandline/Model/Field+Unavailable.swift",
        "Sources/Strandline/Model/StoredProperty.swift",
        "Sources/Strandline/Model/TypedColumn.swift",
        "Sources/Transports/POSIX/SocketAddress.swift",
    ]
    /// Tables, which may be longer than 500 lines.
    static let longFiles: Set<String> = []
    /// Targets of `Sources` whose tests are those of another target.
    static let targetsWithoutTests: Set<String> = [
        "CLZ4", "COpenSSL", "COpenSSLTLS", "CSystem", "CXXHash", "CommandLineTool", "SampleModel",
    ]
    /// Test files that mirror no source of their target.
    static let testsWithoutSource: Set<String> = [
        "Tests/CommandsTests/CopyProcessTests.swift",
        "Tests/CommandsTests/CrashProcessTests.swift",
        "Tests/CommandsTests/ExamplesProcessTests.swift",
        "Tests/CommandsTests/QuakesTests.swift",
        "Tests/CommandsTests/SyncProcessTests.swift",
        "Tests/CommandsTests/WritersProcessTests.swift",
        "Tests/DifferentialTests/HistoryAnswersExhaustiveTests.swift",
        "Tests/DifferentialTests/HistoryAnswersTests.swift",
        "Tests/DifferentialTests/QuakeAnswersTests.swift",
        "Tests/DifferentialTests/StoreAnswersExhaustiveTests.swift",
        "Tests/DifferentialTests/StoreAnswersTests.swift",
        "Tests/EventLogTests/FailingDeviceTests.swift",
        "Tests/FormatTests/FormatFixturesTests.swift",
        "Tests/FormatTests/SpecReaderTests.swift",
        "Tests/FormatTests/WorkedExampleTests.swift",
        "Tests/SyncProtocolTests/SessionRulesTests.swift",
    ]
}
