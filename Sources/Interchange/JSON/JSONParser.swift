// * The parser stands between two tokens whenever none of its methods runs; after an error it must not be used again.
// * `depth` counts the arrays and objects that are open, whether `value` opened them or the caller did.
// * Everything is read through `input`, whose indices end at the next `fill`.

/// A strict, streaming reader of JSON (RFC 8259): the caller pulls whole values, or walks into arrays and objects.
///
/// Memory is bounded by the largest value asked for, never by the text. A byte order mark at the start is accepted.
package struct JSONParser: ~Copyable {
    var input: JSONInput
    let limits: JSONLimits
    var depth = 0
    var keys = JSONKeyTree()
    /// Bytes of a string being freed of its escapes; kept for its capacity.
    var unescaped: [UInt8] = []
    /// Where in the window the last string starts, until the next token.
    var stringStart = 0
    private var hasStarted = false
    /// How many members the last object had, by the node of its first key: room to reserve for the next alike.
    private var memberCounts = [Int](repeating: 0, count: JSONKeyTree.maximumNodes)

    package init(_ source: any JSONByteSource, limits: JSONLimits = JSONLimits()) {
        input = JSONInput(source)
        self.limits = limits
    }

    /// The first byte of the next token, nil at the end of the text.
    ///
    /// Takes nothing but whitespace.
    package mutating func peek() throws(JSONError) -> UInt8? {
        if !hasStarted {
            try input.start()
            hasStarted = true
        }
        return try input.peek()
    }

    /// Reads one whole value.
    package mutating func value() throws(JSONError) -> JSONValue {
        guard let byte = try peek() else { throw unexpected("a value") }
        return try value(startingWith: byte)
    }

    /// Reads over one value, checking it as strictly as ``value()`` does, without keeping it.
    package mutating func skipValue() throws(JSONError) {
        switch try peek() {
        case UInt8(ascii: "["):
            var array = try openArray()
            while try nextElement(&array) { try skipValue() }
        case UInt8(ascii: "{"):
            var object = try openObject()
            while try nextKey(&object) != nil { try skipValue() }
        default: _ = try value()
        }
    }

    /// The place of the next token, if ``peek()`` has been called.
    ///
    /// Errors of later tokens only may be reported after it.
    package mutating func mark() -> JSONError.Position { input.mark() }

    /// Checks that nothing but whitespace follows.
    package mutating func finish() throws(JSONError) {
        if try peek() != nil { throw unexpected("the end of the text after the value") }
    }

    /// An error at the next token, for callers that expect something more specific than JSON.
    package func failure(_ code: JSONError.Code, _ message: String) -> JSONError {
        input.failure(code, message, at: input.index)
    }

    private mutating func value(startingWith byte: UInt8) throws(JSONError) -> JSONValue {
        switch byte {
        case UInt8(ascii: "\""): return .string(try string().text)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return try number()
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            var array = try openArray()
            while try nextElement(&array) { elements.append(try value()) }
            return .array(elements)
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw unexpected("a value")
        }
    }

    private mutating func members() throws(JSONError) -> [JSONMember] {
        var members: [JSONMember] = []
        var object = try openObject()
        var firstNode = 0
        while let key = try nextKey(&object) {
            if members.isEmpty, let node = object.path.node {
                firstNode = node
                members.reserveCapacity(memberCounts[node])
            }
            members.append(JSONMember(key, try value()))
        }
        memberCounts[firstNode] = min(members.count, 256)
        return members
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let text = word.description
        for byte in text.utf8 {
            guard try input.more(), input.buffer[input.index] == byte else {
                throw unexpected("the rest of '\(text)'")
            }
            input.index += 1
        }
        return value
    }
}
