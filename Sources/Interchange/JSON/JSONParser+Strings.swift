extension JSONParser {
    /// Reads the string whose opening quote is the next byte.
    ///
    /// It is plain if the text has it without escapes.
    mutating func string() throws(JSONError) -> (text: String, isPlain: Bool) {
        var place = input.index + 1
        var isPlain = true
        while true {
            place = endOfPlainBytes(from: place)
            let byte = input.buffer[place]
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                isPlain = false
                if place + 1 < input.end {
                    place += 2
                    continue
                }
            } else if place < input.end {
                throw controlCharacter(byte, at: place)
            }
            // The window ends within the string; `index` stays at its opening quote.
            let length = place - input.index
            try checkLength(length)
            guard try input.fill(keeping: input.index) else {
                throw failure(.syntax, "the string that starts here is not closed before the end of the text")
            }
            place = input.index + length
        }
        try checkLength(place - input.index)
        stringStart = input.index
        let body = (input.index + 1)..<place
        input.index = place + 1
        let text = try decode(body)
        return (isPlain ? text : try unescape(body), isPlain)
    }

    /// The next quote, backslash or control character (of which the end of the window is one) from `start` on.
    private func endOfPlainBytes(from start: Int) -> Int {
        let bytes = input.buffer.span
        var place = start
        while true {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return place }
            place &+= 1
        }
    }

    private func checkLength(_ length: Int) throws(JSONError) {
        if length > limits.stringLength + 1 {
            throw failure(.limit, "the string that starts here is longer than \(limits.stringLength) bytes")
        }
    }

    private func decode(_ range: Range<Int>) throws(JSONError) -> String {
        let bytes = input.buffer.span.extracting(range)
        do {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            let place = range.lowerBound + error.byteOffsets.lowerBound
            throw input.failure(.encoding, "the string is not valid UTF-8: unexpected \(hex(input.buffer[place]))", at: place)
        }
    }

    private func controlCharacter(_ byte: UInt8, at place: Int) -> JSONError {
        let message =
            byte == 0x0A
            ? "the string is not closed before the end of its line: close it, or write a line break as \\n"
            : "a string must not contain the control character \(hex(byte)): write it as \\u00\(hex(byte).dropFirst(2))"
        return input.failure(.syntax, message, at: place)
    }

    // MARK: Escapes

    /// Frees a string's bytes, which are valid UTF-8, of their escapes.
    private mutating func unescape(_ range: Range<Int>) throws(JSONError) -> String {
        unescaped.removeAll(keepingCapacity: true)
        var place = range.lowerBound
        while place < range.upperBound {
            let byte = input.buffer[place]
            if byte != UInt8(ascii: "\\") {
                unescaped.append(byte)
                place += 1
                continue
            }
            // A backslash is never the last byte of the range, else it would have escaped the closing quote.
            let escape = input.buffer[place + 1]
            if escape == UInt8(ascii: "u") {
                place = try appendScalar(at: place)
                continue
            }
            guard let plain = plainByte(escape) else {
                throw input.failure(.syntax, "unknown escape: a backslash and \(found(at: place + 1))", at: place)
            }
            unescaped.append(plain)
            place += 2
        }
        return String(decoding: unescaped, as: UTF8.self)
    }

    private func plainByte(_ escape: UInt8) -> UInt8? {
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): escape
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: nil
        }
    }

    /// Appends the character of the `\u` escape at `place`, or of the two that make a surrogate pair.
    ///
    /// Returns the place behind.
    private mutating func appendScalar(at place: Int) throws(JSONError) -> Int {
        let unit = try codeUnit(at: place)
        var value = UInt32(unit)
        var next = place + 6
        switch unit {
        case 0xD800..<0xDC00:
            guard input.buffer[next] == UInt8(ascii: "\\"), input.buffer[next + 1] == UInt8(ascii: "u"),
                case let low = try codeUnit(at: next), 0xDC00..<0xE000 ~= low
            else { throw loneSurrogate(at: place) }
            value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
            next += 6
        case 0xDC00..<0xE000: throw loneSurrogate(at: place)
        default: break
        }
        // Neither surrogate nor beyond U+10FFFF, so it is a scalar.
        if let scalar = Unicode.Scalar(value) { unescaped.append(contentsOf: String(scalar).utf8) }
        return next
    }

    private func loneSurrogate(at place: Int) -> JSONError {
        input.failure(.syntax, "the escape is half of a surrogate pair without the other half", at: place)
    }

    /// The number in a `\u` escape.
    ///
    /// The closing quote stops it before the end of the string.
    private func codeUnit(at place: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for digit in place + 2..<place + 6 {
            let byte = input.buffer[digit]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte - 0x30)
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
                unit = unit << 4 | UInt16((byte | 0x20) - 0x57)
            default: throw input.failure(.syntax, "a \\u escape needs four hexadecimal digits", at: place)
            }
        }
        return unit
    }

    func hex(_ byte: UInt8) -> String {
        "0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
    }
}
