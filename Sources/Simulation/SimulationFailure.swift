/// What went wrong, and in which of the many simulated runs.
public struct SimulationFailure: Error, CustomStringConvertible {
    /// The power cut or fault, in words.
    public var circumstance: String
    public var underlying: any Error

    init(_ circumstance: some CustomStringConvertible, _ underlying: any Error) {
        self.circumstance = circumstance.description
        self.underlying = underlying
    }

    public var description: String { "\(circumstance): \(underlying)" }

    static func naming(_ circumstance: some CustomStringConvertible, _ body: () throws -> Void) throws(SimulationFailure) {
        do { try body() } catch { throw SimulationFailure(circumstance, error) }
    }
}
