extension JSONParser {
    /// Reads the number that starts at the next byte: an integer if it is written as one and fits 64 bits.
    mutating func number() throws(JSONError) -> JSONValue {
        var scan = JSONNumberScan(input.buffer.span, from: input.index)
        // The number may go on behind the window: read on and start again, which costs little since it is short.
        while scan.end == input.end {
            guard input.end - input.index <= limits.tokenLength else {
                throw failure(.limit, "the number that starts here is longer than \(limits.tokenLength) bytes")
            }
            guard try input.fill(keeping: input.index) else {
                scan = JSONNumberScan(input.buffer.span, from: input.index)
                break
            }
            scan = JSONNumberScan(input.buffer.span, from: input.index)
        }
        if let expected = scan.expected {
            input.index = scan.end
            throw unexpected("\(expected) in a number")
        }
        if let integer = scan.integer {
            input.index = scan.end
            return .integer(integer)
        }
        let number = scan.exactDouble ?? Double(String(decoding: input.buffer[input.index..<scan.end], as: UTF8.self))
        guard let number, number.isFinite else {
            throw failure(.limit, "the number that starts here is beyond the range of a Double")
        }
        input.index = scan.end
        return .number(number)
    }
}
