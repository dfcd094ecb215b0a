import TLSTransport
import Testing

@Suite("Base64")
struct Base64Tests {
    /// RFC 4648, section 10.
    @Test(
        "the examples of the standard, both ways",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func examples(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
    }

    @Test("what no encoder writes", arguments: ["Z", "Zg", "Zg=", "Zh==", "Zg==\n", "Z===", "=", "Zm9v=", "Zm-_"])
    func refused(text: String) { #expect(Base64.decode(text) == nil) }
}
