/// A test of strings that of ASCII texts looks at the bytes alone.
///
/// Texts that are not ASCII need the test it was made from, save those that ``needsBytes`` rules out.
struct ByteTest {
    enum Form {
        case order(Comparison.Operator)
        case contains, beginsWith, endsWith
        case like(BytePattern)
    }

    let form: Form
    /// Never empty, but of a pattern, which has none beside it.
    let bytes: [UInt8]
    /// Whether capitals of the text are taken as small letters; `bytes` has none then.
    let foldsCase: Bool
    /// Whether a text that is not ASCII can only equal, or have in it, what has these very bytes.
    let needsBytes: Bool

    /// Whether a byte is of the only ASCII that other scalars (U+037E, U+1FEF, U+212A) are canonically equivalent to.
    static func isDoubled(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == UInt8(ascii: "`") || byte == UInt8(ascii: "K")
    }

    /// Nil when bytes do not tell: line breaks, which join to one character, or an order to what is not ASCII.
    init?(_ form: Form, _ operand: String, foldsCase: Bool, isExact: Bool) {
        let bytes = Array(operand.utf8)
        let isASCII = operand.isASCII
        if bytes.isEmpty { return nil }
        switch form {
        case .order(let comparator):
            if comparator.isOrdering, !isASCII { return nil }
        case .contains, .beginsWith, .endsWith:
            if bytes.contains(where: { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) { return nil }
        case .like: return nil
        }
        // Of other operands it must be certain that no ASCII text has them in it.
        if !isASCII, operand.unicodeScalars.allSatisfy({ $0.isASCII || Self.isASCIIByAnotherName($0) }) { return nil }
        self.form = form
        self.bytes = bytes
        self.foldsCase = foldsCase
        needsBytes = isExact && isASCII && !bytes.contains(where: Self.isDoubled)
    }

    init(like pattern: BytePattern, foldsCase: Bool) {
        self.init(form: .like(pattern), bytes: [], foldsCase: foldsCase, needsBytes: false)
    }

    /// The test for equality of one for inequality.
    var negated: ByteTest { ByteTest(form: .order(.equal), bytes: bytes, foldsCase: foldsCase, needsBytes: needsBytes) }

    private init(form: Form, bytes: [UInt8], foldsCase: Bool, needsBytes: Bool) {
        self.form = form
        self.bytes = bytes
        self.foldsCase = foldsCase
        self.needsBytes = needsBytes
    }

    private static func isASCIIByAnotherName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x37e || scalar.value == 0x1fef || scalar.value == 0x212a
    }
}
