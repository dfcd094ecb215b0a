/// Maps strings that a comparison shall not tell apart to the same string.
///
/// Case: each scalar is mapped to lower, upper and again to lower case by Unicode's full mappings, which is Unicode's full case folding
/// (`ß` and `ẞ` to `ss`, final `ς` to `σ`), save that the dotless `ı` stays itself. Diacritics: see ``DiacriticTable``.
struct TextFolding: Hashable, Sendable {
    let options: TextOptions

    func fold(_ text: String) -> String {
        if options.isEmpty { return text }
        if text.isASCII {
            return options.contains(.caseInsensitive) ? text.lowercased() : text
        }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if options.contains(.caseInsensitive) {
                for folded in Self.foldCase(scalar) { append(folded, to: &result) }
            } else {
                append(scalar, to: &result)
            }
        }
        return String(result)
    }

    private func append(_ scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView) {
        guard options.contains(.diacriticInsensitive), scalar.value >= 0xA8 else { return result.append(scalar) }
        if DiacriticTable.isDiacritic(scalar) { return }
        result.append(DiacriticTable.base(of: scalar) ?? scalar)
    }

    private static func foldCase(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        if scalar == "ı" || !scalar.properties.changesWhenCaseMapped { return String.UnicodeScalarView([scalar]) }
        var result = String.UnicodeScalarView()
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            for upper in lower.properties.uppercaseMapping.unicodeScalars {
                result.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return result
    }
}
