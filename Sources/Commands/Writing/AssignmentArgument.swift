/// A property and the text to set it to: `title=Hello`.
struct AssignmentArgument: ArgumentValue {
    static let expectation = "PROPERTY=VALUE"

    let name: String
    /// All behind the first `=`, which may be nothing.
    let text: String

    init?(argument: String) {
        guard let end = argument.firstIndex(of: "="), end > argument.startIndex else { return nil }
        name = String(argument[..<end])
        text = String(argument[argument.index(after: end)...])
    }
}
