/// A mistake in a schema, in a sentence that says what to do.
public struct SchemaProblem: Hashable, Sendable, CustomStringConvertible {
    /// The entity's wire name.
    public let entity: String
    /// The field's wire name; for a forgotten property, its Swift name; nil when it concerns the whole entity.
    public let field: String?
    /// Whether a store refuses to open.
    ///
    /// A stored property without a line is only pointed out.
    public let isFatal: Bool
    /// What is wrong, and what to do.
    public let description: String

    init(_ entity: String, _ field: String?, isFatal: Bool = true, _ sentence: String) {
        self.entity = entity
        self.field = field
        self.isFatal = isFatal
        let subject = field.map { "\(entity).\($0)" } ?? entity
        description = "\(subject) \(sentence)"
    }
}
