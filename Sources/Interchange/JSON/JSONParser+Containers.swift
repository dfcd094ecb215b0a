// Walking into arrays and objects. Both are opened, then asked for the next part until there is none, which closes them.

extension JSONParser {
    /// An array that has been opened and not yet read to its end.
    package struct OpenArray {
        fileprivate var isEmpty = true
    }

    /// An object that has been opened and not yet read to its end.
    package struct OpenObject {
        var path = JSONKeyPath()
    }

    /// Takes the `[` that ``peek()`` has announced.
    package mutating func openArray() throws(JSONError) -> OpenArray {
        try open()
        return OpenArray()
    }

    /// Takes the `{` that ``peek()`` has announced.
    package mutating func openObject() throws(JSONError) -> OpenObject {
        try open()
        return OpenObject()
    }

    /// Moves to the next element, which the caller must read or skip; false at the end of the array.
    package mutating func nextElement(_ array: inout OpenArray) throws(JSONError) -> Bool {
        let byte = try input.peek()
        if byte == UInt8(ascii: "]") {
            close()
            return false
        }
        if array.isEmpty {
            guard byte != nil else { throw unexpected("a value or ']' after '['") }
            array.isEmpty = false
            return true
        }
        guard byte == UInt8(ascii: ",") else { throw unexpected("',' or ']' after an element") }
        input.index += 1
        if try input.peek() == UInt8(ascii: "]") {
            throw failure(.syntax, "the comma before this ']' is one too many: JSON allows no trailing comma")
        }
        return true
    }

    /// Reads the next member's key, whose value the caller must read or skip; nil at the end of the object.
    package mutating func nextKey(_ object: inout OpenObject) throws(JSONError) -> String? {
        var byte = try input.peek()
        if byte == UInt8(ascii: "}") {
            close()
            return nil
        }
        if object.path.isEmpty {
            guard byte == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes or '}' after '{'") }
            object.path.isEmpty = false
        } else {
            guard byte == UInt8(ascii: ",") else { throw unexpected("',' or '}' after a member") }
            input.index += 1
            byte = try input.peek()
            if byte == UInt8(ascii: "}") {
                throw failure(.syntax, "the comma before this '}' is one too many: JSON allows no trailing comma")
            }
            guard byte == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes after ','") }
        }
        let key = try key(&object.path)
        guard try input.peek() == UInt8(ascii: ":") else { throw unexpected("':' after a key") }
        input.index += 1
        return key
    }

    /// What was expected at the next token, and what is there instead.
    mutating func unexpected(_ expected: String) -> JSONError {
        // So that a whole character can be shown; an input that fails here fails again for whoever reads on.
        while input.end - input.index < 4, (try? input.fill(keeping: input.index)) == true {}
        let place = input.index
        guard place < input.end else { return failure(.syntax, "expected \(expected), found the end of the text") }
        let byte = input.buffer[place]
        let hint =
            switch byte {
            case UInt8(ascii: "'"): ": JSON puts strings in double quotes"
            case UInt8(ascii: "/"), UInt8(ascii: "#"): ": JSON has no comments"
            case UInt8(ascii: "N"), UInt8(ascii: "I"): ": JSON knows neither NaN nor Infinity, nor words in capitals"
            case UInt8(ascii: "+"): ": JSON numbers have no plus sign"
            default: ""
            }
        return failure(.syntax, "expected \(expected), found \(found(at: place))\(hint)")
    }

    /// The character at a position of the buffer, as a sentence can show it.
    func found(at place: Int) -> String {
        let byte = input.buffer[place]
        switch byte {
        case 0x0A: return "a line break"
        case 0x20..<0x7F: return "'\(Unicode.Scalar(byte))'"
        case 0xC2...0xF4:
            let sequence = input.buffer[place..<min(place + 4, input.end)]
            let scalar = String(decoding: sequence, as: UTF8.self).unicodeScalars.first
            if let scalar, scalar != "\u{FFFD}" { return "'\(scalar)'" }
            fallthrough
        default: return "the byte \(hex(byte))"
        }
    }

    private mutating func open() throws(JSONError) {
        guard depth < limits.depth else {
            throw failure(.limit, "arrays and objects are nested deeper than \(limits.depth) levels")
        }
        depth += 1
        input.index += 1
    }

    private mutating func close() {
        depth -= 1
        input.index += 1
    }

    /// Reads the key that starts at the quote at the next byte.
    private mutating func key(_ path: inout JSONKeyPath) throws(JSONError) -> String {
        if let node = path.node, let child = keys.child(of: node, in: input.buffer.span, at: input.index + 1) {
            input.index += keys.length(of: child) + 2
            path.follow(child)
            return keys.key(of: child)
        }
        let (key, isPlain) = try string()
        guard path.insert(key, isPlain: isPlain, into: &keys) else {
            let quoted = JSONValue.string(key).text
            throw input.failure(.duplicateKey, "the key \(quoted) stands twice in one object", at: stringStart)
        }
        return key
    }
}
