// Invariants
// * Both pointers are set by the initialiser, freed by deinit, and immutable in between: OpenSSL's own locks guard their counts.

import COpenSSLTLS

/// An Ed25519 key and the certificate made from it.
///
/// The certificate says nothing that the key does not: its number, names and dates are the same for all, and a signature of
/// Ed25519 is the same each time. Its dates leave nobody out, and are not looked at.
///
/// `@unchecked Sendable`: immutable.
@safe final class DeviceKey: @unchecked Sendable {
    let id: DeviceID
    private let key: OpaquePointer
    private let certificate: OpaquePointer

    /// - Parameter seed: The 32 bytes of a private key.
    init(seed: [UInt8]) throws(DeviceError) {
        ERR_clear_error()
        guard let key = unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else {
            throw Self.refused("make an Ed25519 key")
        }
        guard let certificate = unsafe X509_new() else {
            unsafe EVP_PKEY_free(key)
            throw Self.refused("make a certificate")
        }
        guard unsafe Self.fill(certificate, with: key), let id = unsafe DeviceKey.id(of: certificate) else {
            unsafe X509_free(certificate)
            unsafe EVP_PKEY_free(key)
            throw Self.refused("make a certificate")
        }
        unsafe self.key = key
        unsafe self.certificate = certificate
        self.id = id
    }

    deinit {
        unsafe X509_free(certificate)
        unsafe EVP_PKEY_free(key)
    }

    /// Gives a context key and certificate; both stay this object's as well.
    func use(in context: OpaquePointer) -> Bool {
        unsafe SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1
            && SSL_CTX_check_private_key(context) == 1
    }

    /// Whose certificate it is; nil for one without a readable key, or not signed by that key.
    static func id(of certificate: OpaquePointer) -> DeviceID? {
        guard let key = unsafe X509_get0_pubkey(certificate), unsafe X509_verify(certificate, key) == 1,
            let published = unsafe X509_get_X509_PUBKEY(certificate)
        else { return nil }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509_PUBKEY(published, &encoded)
        guard count > 0, let start = unsafe encoded else { return nil }
        defer { unsafe tls_free(start) }
        let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
        return DeviceID(publicKey: bytes.span)
    }

    private static func fill(_ certificate: OpaquePointer, with key: OpaquePointer) -> Bool {
        let name = unsafe X509_get_subject_name(certificate)
        return unsafe X509_set_version(certificate, 2) == 1
            && ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1
            && X509_NAME_add_entry_by_txt(name, "CN", tls_ascii_text, "strandline device", -1, -1, 0) == 1
            && X509_set_issuer_name(certificate, name) == 1
            && ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), "19700101000000Z") == 1
            && ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), "99991231235959Z") == 1
            && X509_set_pubkey(certificate, key) == 1
            && X509_sign(certificate, key, nil) > 0
    }

    private static func refused(_ action: String) -> DeviceError {
        DeviceError(.cryptography, "cannot \(action): \(OpenSSLFailure.take().text); see whether OpenSSL is installed whole")
    }
}
