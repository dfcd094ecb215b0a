extension JSONParser {
    /// Reads the number that starts at the next byte: an integer if it is written as one and fits 64 bits.
    mutating func number() throws(JSONError) -> JSONValue {
        var scan = JSONNumberScan(input.buffer.span, from: input.index)
        // The number may go on behind the window: read on and start again, which costs little since it is short.
        while scan.end == input.end, scan.end - input.index <= JSONLimits.longestNumber {
            let hasMore = try input.fill(keeping: input.index)
            scan = JSONNumberScan(input.buffer.span, from: input.index)
            if !hasMore { break }
        }
        if scan.end - input.index > JSONLimits.longestNumber {
            throw failure(.limit, "the number that starts here is longer than \(JSONLimits.longestNumber) bytes")
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
