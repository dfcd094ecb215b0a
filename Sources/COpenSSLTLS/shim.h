// OpenSSL's TLS, X.509 and error queue. Macros that are functions in disguise get a function, for Swift sees no such macro.
#ifndef COPENSSLTLS_SHIM_H
#define COPENSSLTLS_SHIM_H

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

/// Lets nothing but TLS 1.3 be spoken. Returns 1 when it is so.
static inline int tls_allow_only_1_3(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1 && SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1;
}

/// For tests of what becomes of an older peer.
static inline int tls_allow_only_1_2(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 && SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION) == 1;
}

/// No session is ever resumed: who is at the other end is proven anew by each connection.
static inline void tls_forget_sessions(SSL_CTX *context) { SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF); }

/// A write may take a part of what it is given, and be repeated from other memory; buffers of idle connections are freed.
static inline void tls_set_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
}

/// No tickets, no renegotiation, no compression.
static inline void tls_set_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}

/// What was made by OpenSSL's allocator.
static inline void tls_free(unsigned char *bytes) { OPENSSL_free(bytes); }

/// The kind of text in a name of X.509.
static const int tls_ascii_text = MBSTRING_ASC;

/// How many bytes a BIO in memory holds.
static inline size_t tls_pending(BIO *memory) { return BIO_ctrl_pending(memory); }

#endif
