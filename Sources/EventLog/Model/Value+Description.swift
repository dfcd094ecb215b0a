extension Value: CustomStringConvertible {
    /// The value for people: texts in quotation marks, of bytes how many there are.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value), .counter(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value.debugDescription
        case .date(let seconds): "\(seconds) s after 2001"
        case .uuid(let bits): "\(bits)"
        case .data(let bytes): "\(bytes.count) bytes"
        case .blob(let blob): "blob \(blob.id)"
        case .reference(let object): "\(object)"
        }
    }
}
