// Invariants
// * `connection` and its two BIOs in memory live from init to deinit; the connection owns the BIOs. `context` outlives it.
// * One thread at a time calls; the channel's lock sees to that. OpenSSL's error queue is the thread's, empty before each step
//   and emptied after one that fails.
// * After a step failed, only what OpenSSL wants to say about it is taken: no other step is made.

import COpenSSLTLS

/// TLS without I/O: bytes of the network in and out, bytes of the application in and out.
///
/// `@unchecked Sendable`: used under the lock of its channel.
@safe final class TLSEngine: @unchecked Sendable {
    /// What a step came to.
    enum Step: Sendable, Equatable {
        /// Done, with so many bytes where it moves bytes.
        case done(Int)
        /// Nothing more without more from the network.
        case wantsInput
        /// The peer said that it sends nothing more.
        case end
        case failed(OpenSSLFailure)
    }

    private let context: TLSContext
    private let connection: OpaquePointer
    private let arrived: OpaquePointer
    private let leaving: OpaquePointer

    init(_ context: TLSContext) throws(DeviceError) {
        ERR_clear_error()
        guard let connection = unsafe SSL_new(context.context) else {
            throw DeviceError(.cryptography, "cannot begin TLS: \(OpenSSLFailure.take().text)")
        }
        guard let arrived = unsafe BIO_new(BIO_s_mem()), let leaving = unsafe BIO_new(BIO_s_mem()) else {
            unsafe SSL_free(connection)
            throw DeviceError(.cryptography, "cannot begin TLS: \(OpenSSLFailure.take().text)")
        }
        unsafe SSL_set_bio(connection, arrived, leaving)
        if context.role == .client { unsafe SSL_set_connect_state(connection) } else { unsafe SSL_set_accept_state(connection) }
        self.context = context
        unsafe self.connection = connection
        unsafe self.arrived = arrived
        unsafe self.leaving = leaving
    }

    deinit { unsafe SSL_free(connection) }

    /// Bytes for the network that wait in memory.
    var leavingCount: Int { unsafe tls_pending(leaving) }

    /// Whether both ends agreed on our protocol.
    var hasAgreed: Bool {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(connection, &name, &count)
        guard let start = unsafe name else { return false }
        return unsafe UnsafeBufferPointer(start: start, count: Int(count)).elementsEqual(TLSProtocol.name)
    }

    /// Takes what the network brought.
    func receive(_ bytes: Span<UInt8>) {
        _ = unsafe bytes.withUnsafeBytes { unsafe BIO_write(arrived, $0.baseAddress, Int32($0.count)) }
    }

    /// Moves what the network is to get into the front of `buffer`; returns how much.
    func takeLeaving(into buffer: inout MutableSpan<UInt8>) -> Int {
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe BIO_read(leaving, $0.baseAddress, Int32($0.count)) }
        return max(0, Int(count))
    }

    /// Goes on with the handshake.
    func handshake() -> Step {
        ERR_clear_error()
        return step(unsafe SSL_do_handshake(connection), count: 0)
    }

    /// Moves bytes of the application into the front of `buffer`.
    func read(into buffer: inout MutableSpan<UInt8>) -> Step {
        ERR_clear_error()
        var count = 0
        let result = unsafe buffer.withUnsafeMutableBytes { unsafe SSL_read_ex(connection, $0.baseAddress, $0.count, &count) }
        return step(result, count: count)
    }

    /// Whether a read would bring something, without taking it.
    func peek() -> Step {
        ERR_clear_error()
        var byte: UInt8 = 0
        var count = 0
        let result = unsafe SSL_peek_ex(connection, &byte, 1, &count)
        return step(result, count: count)
    }

    /// Takes bytes of the application; memory has room for all.
    func write(_ bytes: Span<UInt8>) -> Step {
        ERR_clear_error()
        var count = 0
        let result = unsafe bytes.withUnsafeBytes { unsafe SSL_write_ex(connection, $0.baseAddress, $0.count, &count) }
        return step(result, count: count)
    }

    /// Tells the peer that nothing more comes.
    func sayGoodbye() {
        ERR_clear_error()
        _ = unsafe SSL_shutdown(connection)
        ERR_clear_error()
    }

    private func step(_ result: Int32, count: Int) -> Step {
        if result == 1 { return .done(count) }
        switch unsafe SSL_get_error(connection, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wantsInput
        case SSL_ERROR_ZERO_RETURN: return .end
        default: return .failed(OpenSSLFailure.take())
        }
    }
}
