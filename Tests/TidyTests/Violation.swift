/// A broken rule: where, and what to write instead.
struct Violation: CustomStringConvertible, Equatable {
    var path: String
    /// From 1.
    var line: Int
    var message: String

    var description: String { "\(path):\(line): \(message)" }
}
