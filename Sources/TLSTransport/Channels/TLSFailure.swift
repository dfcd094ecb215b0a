import Transports

/// What a failure of TLS means for the one who wanted to talk.
enum TLSFailure {
    /// RFC 8446, section 6.2: what the peer sends when it does not trust the certificate.
    private static let distrust: Set<Int> = [42, 46, 48]
    private static let missingCertificate = 116
    private static let missingProtocol = 120

    /// - Parameter own: This device, as the other end should know it.
    static func error(_ failure: OpenSSLFailure, own: DeviceID?, address: String) -> TransportError {
        if let alert = failure.alert, distrust.contains(alert), let own {
            return TransportError(
                .untrusted, address: address,
                "the device at \(address) does not trust this one; run `strandline trust STORE \(own)` there")
        }
        let advice =
            switch failure.alert {
            case missingCertificate: "it wants a certificate; open this device's identity first"
            case missingProtocol: "it does not speak strandline/1; is that Strandline, of this version, at the other end?"
            default: "is that Strandline at the other end?"
            }
        return TransportError(.badPeer, address: address, "TLS with \(address) failed: \(failure.text); \(advice)")
    }

    static func noProtocol(_ address: String) -> TransportError {
        TransportError(
            .badPeer, address: address,
            "the other end of \(address) did not agree to speak strandline/1; is that Strandline at the other end?")
    }

    static func handshakeTooSlow(_ address: String) -> TransportError {
        TransportError(
            .timedOut, address: address,
            "the other end of \(address) did not prove in time who it is; see whether it is Strandline, "
                + "and the network is fast enough")
    }
}
