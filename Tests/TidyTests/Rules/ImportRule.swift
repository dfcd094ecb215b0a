/// Imports follow the floors: a target imports lower floors only, and below Strandline no more than FoundationEssentials.
enum ImportRule {
    /// Targets of one floor do not import each other, but for the pairs in `siblings`.
    static let floors = [
        "CLZ4": 0, "CXXHash": 0, "COpenSSL": 0, "COpenSSLTLS": 0, "CSystem": 0,
        "Storage": 1, "EventLog": 2, "Transports": 2, "Projection": 3, "SyncProtocol": 3, "TLSTransport": 3, "Strandline": 4,
        "Simulation": 5, "Interchange": 5, "SampleModel": 5, "Generators": 5, "Commands": 6, "CommandLineTool": 6,
    ]
    /// Who uses a library of floor 0 beside Storage: what nobody else needs is not wrapped there.
    static let bindings: Set<[String]> = [["TLSTransport", "COpenSSLTLS"], ["Transports", "CSystem"]]
    static let siblings: Set<[String]> = [["Generators", "SampleModel"], ["CommandLineTool", "Commands"]]
    /// Modules of the system that the core may use.
    static let system: Set<String> = ["Glibc", "Musl", "Darwin", "Synchronization", "FoundationEssentials", "Dispatch"]
    /// Modules of the system for Strandline and above.
    static let upper: Set<String> = ["Foundation", "FoundationNetworking", "Observation"]

    static func check(_ file: SourceFile) -> [Violation] {
        guard file.isSource else { return [] }
        guard let floor = floors[file.target] else {
            return [
                file.violation(1, "target \(file.target) has no floor; give it one in ImportRule.floors and ARCHITECTURE.md")
            ]
        }
        return imports(of: file).compactMap { name, line in
            if let other = floors[name] {
                if other == 0, floor > 1, !bindings.contains([file.target, name]) {
                    return file.violation(line, "only Storage imports \(name); wrap what is needed there")
                }
                if other < floor || siblings.contains([file.target, name]) { return nil }
                return file.violation(
                    line,
                    "\(file.target) (F\(floor)) must not import \(name) (F\(other)); move the shared part to a lower floor")
            }
            if system.contains(name) { return nil }
            if upper.contains(name) {
                return floor >= 4 ? nil : file.violation(line, "import FoundationEssentials, or nothing, instead of \(name)")
            }
            return file.violation(line, "unknown module \(name); add it to ImportRule if the core really needs it")
        }
    }

    private static func imports(of file: SourceFile) -> [(name: String, line: Int)] {
        let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        return file.tokens.indices.compactMap { index in
            // A case of that name is no import.
            guard file.tokens[index].text == "import", index + 1 < file.tokens.count,
                index == 0 || file.tokens[index - 1].text != "."
            else { return nil }
            let isKind = kinds.contains(file.tokens[index + 1].text) && index + 2 < file.tokens.count
            return (file.tokens[index + (isKind ? 2 : 1)].text, file.tokens[index].line)
        }
    }
}
