// Invariants
// * `context` belongs to this value alone, from init to deinit; a value cannot be copied, so two threads never share one.
// * A digest step can fail only for want of memory; there is nothing to do about it but stop.

import COpenSSL

/// SHA-256 (FIPS 180-4), piece by piece, by libcrypto.
///
/// `@unchecked Sendable`: the context is owned by one value, and moves with it.
@safe package struct SHA256: ~Copyable, @unchecked Sendable {
    package static let byteCount = 32

    private let context: OpaquePointer

    package init() {
        guard let created = unsafe EVP_MD_CTX_new() else { preconditionFailure("libcrypto has no memory for a SHA-256") }
        unsafe context = created
        let isReady = unsafe EVP_DigestInit_ex(created, EVP_sha256(), nil)
        precondition(isReady == 1, "libcrypto offers no SHA-256; is its configuration broken?")
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: Span<UInt8>) {
        let isDone = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        precondition(isDone == 1, "libcrypto refused to hash")
    }

    /// The 32 bytes of the digest; ends this value.
    package consuming func finalize() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { target, count in
            let isDone = unsafe EVP_DigestFinal_ex(context, target.baseAddress, nil)
            precondition(isDone == 1, "libcrypto refused to finish a hash")
            count = SHA256.byteCount
        }
    }

    /// The digest of `bytes`.
    package static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }
}
