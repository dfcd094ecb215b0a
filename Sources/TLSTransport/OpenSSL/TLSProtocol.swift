/// The name by which both ends make sure that they mean the same protocol (ALPN, RFC 7301).
enum TLSProtocol {
    static let name = Array("strandline/1".utf8)

    /// As a client sends it: each name with its length before it.
    static var offer: [UInt8] { [UInt8(name.count)] + name }

    /// Where the name stands in what a client offers; nil when it does not.
    static func place(in offer: [UInt8]) -> Range<Int>? {
        var start = 0
        while start < offer.count {
            let end = start + 1 + Int(offer[start])
            guard end <= offer.count else { return nil }
            if offer[start + 1..<end].elementsEqual(name) { return start + 1..<end }
            start = end
        }
        return nil
    }
}
