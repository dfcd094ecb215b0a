#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Codable values as JSON with sorted keys, so that equal values give equal bytes.
///
/// Infinities and NaN are written as text.
enum CodableText {
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return [UInt8](try encoder.encode(value))
    }

    /// Nil when the stored bytes are not such a value, as after a change of the type.
    static func decode<V: Decodable>(_ value: Value) -> V? {
        guard case .data(let bytes) = value else { return nil }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(V.self, from: Data(bytes))
    }
}
