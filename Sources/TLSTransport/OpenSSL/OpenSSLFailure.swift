import COpenSSLTLS

/// What OpenSSL put into its error queue, which belongs to the thread.
struct OpenSSLFailure: Sendable, Equatable {
    /// All reasons, the first cause first.
    let text: String
    /// The alert that the peer sent, by its number in RFC 8446, if that was the cause.
    let alert: Int?

    /// Takes all that is in the queue.
    static func take() -> OpenSSLFailure {
        var reasons: [String] = []
        var alert: Int?
        while true {
            let code = ERR_get_error()
            if code == 0 { break }
            // A reason from 1000 on is an alert of the peer's.
            let reason = Int(ERR_GET_REASON(code))
            if ERR_GET_LIB(code) == ERR_LIB_SSL, (1_000..<1_256).contains(reason) { alert = reason - 1_000 }
            reasons.append(unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "error \(code)")
        }
        return OpenSSLFailure(text: reasons.isEmpty ? "OpenSSL gave no reason" : reasons.joined(separator: ", "), alert: alert)
    }
}
