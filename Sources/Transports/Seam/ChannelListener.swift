/// A place where peers connect to.
///
/// Any thread may call anything.
public protocol ChannelListener: AnyObject, Sendable {
    /// Where it listens, with the port it got: `tls://0.0.0.0:7878`.
    var address: String { get }
    /// The next peer that has connected, nil when there is none now; never waits.
    ///
    /// - Throws: ``TransportError``. It concerns one visitor, who was turned away (``TransportError/Code/notPermitted``), or
    ///   what may pass by itself (no descriptor is left), and the listener goes on, unless the code is
    ///   ``TransportError/Code/closed``.
    func accept() throws(TransportError) -> (any ByteChannel)?
    /// What to wait for before the next ``accept()``; nil when ``onChange(_:)`` tells.
    var interest: PollInterest? { get }
    /// Gives a listener without descriptor what to call when somebody has connected.
    func onChange(_ wake: @escaping @Sendable () -> Void)
    /// Ends it; channels that were accepted go on. Safe to call twice.
    func close()
}
