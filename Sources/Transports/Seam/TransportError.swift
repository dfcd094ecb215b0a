/// Why a peer cannot be reached, or talked to any longer.
///
/// Match on ``code``; show ``description``. ``isRetryable`` says whether the same attempt may succeed later without anyone
/// changing anything here.
///
/// ```swift
/// do { try channel.recheck() } catch where error.code == .untrusted { print(error.message) }
/// ```
public struct TransportError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// There is no way to the address now: no such host or socket, no route.
        case unreachable
        /// The address is there, and nobody listens at it.
        case refused
        /// The system, or a rule about users, does not allow it.
        case notPermitted
        /// The device at the other end is not trusted here, or this one not there.
        case untrusted
        /// The address can never be right.
        case badAddress
        /// The connection has ended: by ``ByteChannel/close()``, or because it broke off.
        case closed
        /// The other end does not speak as the transport demands.
        case badPeer
        /// It took too long.
        case timedOut
        /// The system refused for a reason of its own.
        case failed
    }

    public var code: Code
    /// The peer or listener concerned: `unix:/run/posts`.
    public var address: String
    /// What happened, to which address, and what to do: whole sentences.
    public var message: String
    /// Whether trying again later may help.
    public var isRetryable: Bool
    /// What lies below, for the expert.
    public var cause: (any Error)?

    /// - Parameter isRetryable: nil for what is usual with the code.
    public init(
        _ code: Code, address: String, _ message: String, isRetryable: Bool? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.address = address
        self.message = message
        self.isRetryable = isRetryable ?? code.isUsuallyRetryable
        self.cause = cause
    }

    public var description: String { message }

    /// A call after ``ByteChannel/close()``.
    package static func closedHere(_ address: String) -> TransportError {
        TransportError(.closed, address: address, "the connection to \(address) was closed on this side", isRetryable: false)
    }

    /// The peer went away in the middle.
    package static func brokeOff(_ address: String, cause: (any Error)? = nil) -> TransportError {
        TransportError(
            .closed, address: address,
            "the connection to \(address) broke off; see whether the other end still runs, and connect again", cause: cause)
    }
}

extension TransportError.Code {
    var isUsuallyRetryable: Bool {
        switch self {
        case .unreachable, .refused, .closed, .timedOut: true
        case .notPermitted, .untrusted, .badAddress, .badPeer, .failed: false
        }
    }
}
