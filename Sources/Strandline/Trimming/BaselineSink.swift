import EventLog

/// Where the bodies of a baseline go.
final class BaselineSink {
    var writer: BaselineFileWriter

    init(_ writer: BaselineFileWriter) { self.writer = writer }

    func append(_ body: [UInt8]) throws { try writer.append(body) }

    func discard() { writer.discard() }
}
