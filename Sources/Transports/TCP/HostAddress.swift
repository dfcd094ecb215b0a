/// A host and a port, as people write them: `example.org:7878`, `192.0.2.1:7878`, `[2001:db8::1]:7878`, `:7878`.
package struct HostAddress: Sendable, Hashable, CustomStringConvertible {
    /// A name or a number, without the brackets of IPv6; empty for every address of this machine.
    package let host: String
    /// 0 lets the system choose, for a listener.
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`; `address` is what errors call it.
    package init(parsing text: String, address: String) throws(TransportError) {
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else {
                throw TransportError(.badAddress, address: address, "\(address) has a [ without its ]; write [::1]:7878")
            }
            host = String(text[text.index(after: text.startIndex)..<end])
            rest = text[text.index(after: end)...]
        } else {
            let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
            guard colons <= 1 else {
                throw TransportError(
                    .badAddress, address: address, "\(address) has several colons; put an IPv6 address in brackets: [::1]:7878")
            }
            let end = text.firstIndex(of: ":") ?? text.endIndex
            host = String(text[..<end])
            rest = text[end...]
        }
        guard rest.first == ":", rest.utf8.count <= 6, rest.dropFirst().utf8.allSatisfy({ (48...57).contains($0) }),
            let port = Int(rest.dropFirst()), port <= 65_535
        else {
            throw TransportError(
                .badAddress, address: address, "\(address) does not end in a port between 0 and 65535; write host:7878")
        }
        self.port = port
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
