/// Why a generator, or its check, stopped.
public struct GeneratorError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// The store has what this generator makes already.
        case alreadyGenerated
        /// The store lacks something, or has it otherwise.
        case mismatch
        /// A directory of photos without photos, or a photo that is no JPEG.
        case photos
    }

    public let code: Code
    /// One sentence that names the object or the file.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
