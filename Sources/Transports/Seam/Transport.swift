/// A way to reach one peer.
///
/// ```swift
/// let transport: any Transport = ExecTransport(command: "ssh host strandline serve --stdio Posts")
/// let channel = try transport.connect()
/// ```
public protocol Transport: Sendable {
    /// How it is named in messages and on the command line: `unix:/run/posts`.
    var address: String { get }
    /// Begins a connection, without waiting for it: the first reads and writes tell what became of it.
    ///
    /// - Throws: ``TransportError`` when it is known at once that there can be none.
    func connect() throws(TransportError) -> any ByteChannel
}
