/// Cuts a Swift source into tokens; comments vanish and strings become `"`, so that rules see code only.
///
/// Code inside a string interpolation is not looked at.
struct Lexer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var adjacent = false
    private var tokens: [Token] = []

    static func tokens(of text: String) -> [Token] {
        var lexer = Lexer(bytes: Array(text.utf8))
        lexer.run()
        return lexer.tokens
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), 0x80...: true
        default: false
        }
    }

    private func starts(with text: StaticString, at offset: Int = 0) -> Bool {
        let text = Array(text.description.utf8)
        let start = position + offset
        return start + text.count <= bytes.count && bytes[start..<start + text.count].elementsEqual(text)
    }

    private mutating func run() {
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
                step()
                adjacent = false
            } else if starts(with: "//") {
                while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { step() }
            } else if starts(with: "/*") {
                skipBlockComment()
            } else if byte == UInt8(ascii: "\"") || (byte == UInt8(ascii: "#") && hashesBeforeQuote() > 0) {
                emit("\"")
                skipString()
            } else if Self.isWordByte(byte) {
                let start = position
                let startLine = line
                while position < bytes.count, Self.isWordByte(bytes[position]) { step() }
                tokens.append(
                    Token(text: String(decoding: bytes[start..<position], as: UTF8.self), line: startLine, adjacent: adjacent))
                adjacent = true
            } else {
                emit(String(decoding: [byte], as: UTF8.self))
                step()
            }
        }
    }

    private mutating func emit(_ text: String) {
        tokens.append(Token(text: text, line: line, adjacent: adjacent))
        adjacent = true
    }

    private mutating func step(_ count: Int = 1) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                step(2)
            } else if starts(with: "*/") {
                depth -= 1
                step(2)
            } else {
                step()
            }
        } while depth > 0 && position < bytes.count
    }

    private func hashesBeforeQuote() -> Int {
        var end = position
        while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
        return end < bytes.count && bytes[end] == UInt8(ascii: "\"") ? end - position : 0
    }

    private mutating func skipString() {
        let hashes = hashesBeforeQuote()
        step(hashes)
        let quotes = starts(with: "\"\"\"") ? 3 : 1
        step(quotes)
        let quote = [UInt8](repeating: UInt8(ascii: "\""), count: quotes)
        let end = quote + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        let escape = [UInt8(ascii: "\\")] + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        while position < bytes.count {
            if bytes[position...].starts(with: end) {
                step(end.count)
                return
            }
            if bytes[position...].starts(with: escape) {
                step(escape.count)
                if position < bytes.count, bytes[position] == UInt8(ascii: "(") { skipInterpolation() } else { step() }
            } else {
                step()
            }
        }
    }

    private mutating func skipInterpolation() {
        var depth = 0
        repeat {
            switch bytes[position] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "\""):
                skipString()
                continue
            default: break
            }
            step()
        } while depth > 0 && position < bytes.count
    }
}
