/// Where text for people or programs goes.
///
/// The contract: `write` keeps the order of its calls and may be called from any thread.
package protocol TextStream: AnyObject, Sendable {
    /// Whether a person watches, so that a line may be redrawn.
    var isTerminal: Bool { get }
    /// Writes all of `text`.
    func write(_ text: String)
    /// Writes bytes that need not be text.
    func write(_ bytes: [UInt8])
}
