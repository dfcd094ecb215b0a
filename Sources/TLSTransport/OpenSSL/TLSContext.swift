// Invariants
// * `context` is set by the initialiser and freed by deinit, and immutable in between.
// * OpenSSL holds `check` as a bare pointer: this object keeps it alive, and every engine keeps this object.

import COpenSSLTLS

/// The rules of one connection: TLS 1.3 and nothing else, both sides with a certificate, nothing resumed, one protocol.
///
/// Each connection has its own, because of the question it asks about its peer; that costs well under a millisecond.
///
/// `@unchecked Sendable`: immutable.
@safe package final class TLSContext: @unchecked Sendable {
    package enum Role: Sendable { case client, server }
    /// What may be spoken: TLS 1.3; or 1.2, for tests of what becomes of such a peer.
    package enum Version: Sendable { case present, outdated }

    package let role: Role
    let check: PeerCheck
    let context: OpaquePointer

    /// - Parameter identity: Nil for a client that proves nothing, which every listener turns away.
    package init(
        _ role: Role, identity: DeviceIdentity?, check: PeerCheck, version: Version = .present
    ) throws(DeviceError) {
        ERR_clear_error()
        guard let context = unsafe SSL_CTX_new(TLS_method()) else { throw Self.refused("begin TLS") }
        unsafe self.context = context
        self.role = role
        self.check = check
        unsafe tls_set_options(context)
        unsafe tls_set_modes(context)
        unsafe tls_forget_sessions(context)
        let isReady =
            unsafe (version == .present ? tls_allow_only_1_3(context) : tls_allow_only_1_2(context)) == 1
            && SSL_CTX_set_num_tickets(context, 0) == 1
        guard isReady, unsafe identity?.key.use(in: context) != false else { throw Self.refused("set TLS up") }
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        unsafe SSL_CTX_set_cert_verify_callback(context, examine, Unmanaged.passUnretained(check).toOpaque())
        if role == .client {
            let offer = TLSProtocol.offer
            // Alone among its kind, this one returns 0 when all is well.
            let failure = unsafe SSL_CTX_set_alpn_protos(context, offer, UInt32(offer.count))
            guard failure == 0 else { throw Self.refused("set TLS up") }
        } else {
            unsafe SSL_CTX_set_alpn_select_cb(context, choose, nil)
        }
    }

    deinit { unsafe SSL_CTX_free(context) }

    private static func refused(_ action: String) -> DeviceError {
        DeviceError(.cryptography, "cannot \(action): \(OpenSSLFailure.take().text); see whether OpenSSL is installed whole")
    }
}

/// Called in the middle of a handshake with the certificate that the peer has sent; 1 lets it go on.
///
/// There is no chain, and no date is looked at: whose key it is decides. That the peer holds the key, TLS itself makes sure next.
private func examine(_ store: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let store = unsafe store, let context = unsafe context else { return 0 }
    let check = unsafe Unmanaged<PeerCheck>.fromOpaque(context).takeUnretainedValue()
    let id = unsafe X509_STORE_CTX_get0_cert(store).flatMap { unsafe DeviceKey.id(of: $0) }
    let isAccepted = check.accept(id)
    // The error chooses the alert that the peer gets: "unknown ca" is what a device that is not trusted is told.
    let error = isAccepted ? X509_V_OK : id == nil ? X509_V_ERR_CERT_REJECTED : X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT
    unsafe X509_STORE_CTX_set_error(store, error)
    return isAccepted ? 1 : 0
}

/// Called with the protocols that a client offers, each with its length before it.
private func choose(
    _ connection: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ count: UInt32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let chosen = unsafe chosen, let length = unsafe length, let offered = unsafe offered else {
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
    let bytes = unsafe Array(UnsafeBufferPointer(start: offered, count: Int(count)))
    guard let place = TLSProtocol.place(in: bytes) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    unsafe chosen.pointee = unsafe offered + place.lowerBound
    unsafe length.pointee = UInt8(place.count)
    return SSL_TLSEXT_ERR_OK
}
