/// A file is named after a type or function it declares, or `Type+Facet.swift` when it extends one; some names say nothing.
enum FileNameRule {
    static let meaningless = ["Utils", "Util", "Utilities", "Helpers", "Helper", "Manager", "Common", "Misc"]

    static func check(_ file: SourceFile) -> [Violation] {
        var violations = meaninglessNames(in: file)
        let exempt: Set<String> = ["main.swift", "Package.swift", "Exports.swift"]
        guard file.isSource, !exempt.contains(file.name), !file.tokens.isEmpty else { return violations }
        if file.stem.contains("+") {
            let type = String(file.stem.prefix { $0 != "+" })
            if !extended(in: file).contains(type) {
                violations.append(
                    file.violation(1, "extends no \(type), nor anything to be a \(type); name it after what it extends"))
            }
        } else {
            let declared = names(after: ["struct", "class", "enum", "actor", "protocol", "typealias"], in: file)
            let functions = names(after: ["func"], in: file).map { $0.prefix(1).uppercased() + $0.dropFirst() }
            if !declared.contains(file.stem), !functions.contains(file.stem) {
                let all = declared.sorted().joined(separator: ", ")
                violations.append(
                    file.violation(1, "declares no \(file.stem)" + (all.isEmpty ? "" : "; name it after one of: \(all)")))
            }
        }
        return violations
    }

    private static func meaninglessNames(in file: SourceFile) -> [Violation] {
        let folders = file.path.split(separator: "/").dropLast().map(String.init)
        let declared = names(after: ["struct", "class", "enum", "actor", "protocol"], in: file)
        let found = (folders + [file.stem] + declared.sorted()).filter { name in
            meaningless.contains { name == $0 || (name.hasSuffix($0) && name != "FileManager") }
        }
        return Set(found).sorted().map { file.violation(1, "\($0) says nothing; name what it does in the words of the field") }
    }

    /// What extensions extend, and what they make it conform to.
    private static func extended(in file: SourceFile) -> Set<String> {
        var names: Set<String> = []
        for index in file.tokens.indices where file.tokens[index].text == "extension" {
            names.formUnion(file.tokens[index...].prefix { $0.text != "{" }.filter(\.isWord).map(\.text))
        }
        return names
    }

    /// The names that follow one of the keywords; for `A.B`, both `A` and `B`.
    private static func names(after keywords: Set<String>, in file: SourceFile) -> Set<String> {
        var names: Set<String> = []
        for index in file.tokens.indices where keywords.contains(file.tokens[index].text) {
            var next = index + 1
            while next < file.tokens.count, file.tokens[next].isWord {
                names.insert(file.tokens[next].text)
                guard file.matches(["."], at: next + 1) else { break }
                next += 2
            }
        }
        return names
    }
}
