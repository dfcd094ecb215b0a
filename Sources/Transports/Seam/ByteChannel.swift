/// A stream of bytes to and from one peer that never makes anybody wait.
///
/// A loop reads until there is `nothing`, writes until nothing more is taken, then waits for what ``readiness(wantsToWrite:)``
/// says and begins again:
///
/// ```swift
/// let channel = try UnixTransport(path: "/run/posts").connect()
/// var buffer = [UInt8](repeating: 0, count: 65_536)
/// var free = buffer.mutableSpan
/// switch try channel.read(into: &free) {
/// case .bytes(let count): use(buffer[..<count])
/// case .nothing: waitFor(channel.readiness(wantsToWrite: false))
/// case .end: channel.close()
/// }
/// ```
///
/// Contract, checked for every adapter by one suite:
/// * Bytes arrive whole and in order, in both directions at once, however they are cut.
/// * Bytes that were taken may stay in the channel until there is room below. Its readiness asks for that by itself, and the
///   next read or write moves them on.
/// * No call waits: not for the peer, nor for a name to be resolved, a key to be proven, or a process to end.
/// * After an error, or a call of ``close()``, each further read and write throws. An error names the peer.
/// * A peer that closed is seen as ``ChannelRead/end`` after its last byte; one that died, as that or as an error.
/// * Any thread may call anything. Calls that meet wait for each other's copying of bytes, at most.
public protocol ByteChannel: AnyObject, Sendable {
    /// What the other end is called in messages: `unix:/run/posts`, `tls://host:7878`, `exec:ssh host …`.
    var peer: String { get }
    /// Who is proven to be at the other end, once that is known: a device of TLS, a user of a Unix socket.
    var identity: PeerIdentity? { get }
    /// Moves what has arrived into the front of `buffer`, which must not be empty.
    ///
    /// - Throws: ``TransportError``, whose code says what became of the peer; ``TransportError/Code/closed`` after ``close()``.
    func read(into buffer: inout MutableSpan<UInt8>) throws(TransportError) -> ChannelRead
    /// Takes as much of `bytes` as there is room for, from the front; 0 when there is none.
    ///
    /// - Returns: How many bytes were taken; they are on their way, and not known to have arrived.
    /// - Throws: ``TransportError``, as ``read(into:)`` does.
    func write(_ bytes: Span<UInt8>) throws(TransportError) -> Int
    /// What to wait for before the next read (and, when `wantsToWrite`, write) can do anything.
    ///
    /// To be asked anew after every read and write: a channel that is being connected waits for other things than later.
    func readiness(wantsToWrite: Bool) -> ChannelReadiness
    /// Gives the channel what to call, on any thread, whenever it may have become readable or writable and there was no
    /// descriptor to wait for.
    ///
    /// Replaces what was given before. `wake` must return soon, and not call the channel.
    func onChange(_ wake: @escaping @Sendable () -> Void)
    /// Throws when the peer may not go on: trust was withdrawn, or it takes too long to be connected or to prove who it is.
    ///
    /// Called about once a second.
    func recheck() throws(TransportError)
    /// Ends both directions; what was written is delivered as far as the transport can without waiting. Safe to call twice.
    func close()
}
