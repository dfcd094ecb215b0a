import Interchange

/// Reads a text that is one JSON value.
///
/// `pieces` as in `MemoryByteSource`.
func parse(
    _ bytes: [UInt8], limits: JSONLimits = JSONLimits(), pieces: @escaping (Int) -> Int = { _ in .max }
) throws(JSONError) -> JSONValue {
    var parser = JSONParser(MemoryByteSource(bytes, pieces: pieces), limits: limits)
    let value = try parser.value()
    try parser.finish()
    return value
}

func parse(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONValue {
    try parse(Array(text.utf8), limits: limits)
}

/// Reads a text of records to its end.
func records(
    _ bytes: [UInt8], limits: JSONLimits = JSONLimits(), pieces: @escaping (Int) -> Int = { _ in .max }
) throws(JSONError) -> [JSONRecord] {
    var reader = JSONRecordReader(MemoryByteSource(bytes, pieces: pieces), limits: limits)
    var records: [JSONRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
}

func records(_ text: String) throws(JSONError) -> [JSONRecord] { try records(Array(text.utf8)) }

/// What came of reading, in a form that can be compared: the values, or the error with its place.
func outcome<Result>(_ body: () throws(JSONError) -> Result) -> String {
    do {
        return "\(try body())"
    } catch {
        return "\(error.code): \(error)"
    }
}
