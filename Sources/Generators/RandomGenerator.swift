public import EventLog
import Projection
import Strandline

/// Makes a history over a schema, both from the seed: entities with fields of any type, whose objects come, change and go.
public struct RandomGenerator: Generator, HistoryGenerator {
    /// Inserts, updates, increments, deletes and restores together.
    public var steps: Int
    public var seed: UInt64
    public var batch = 100
    /// The fields of each entity; nil for some that follow from the seed.
    public var schema: [[Property]]?

    public init(steps: Int = 5_000, schema: [[Property]]? = nil, seed: UInt64 = 1) {
        precondition(steps >= 0, "a number of steps cannot be negative")
        precondition(
            schema.map {
                !$0.isEmpty && $0.joined().allSatisfy { $0.type != .reference && $0.type != .edges && $0.type != .blob }
            } ?? true,
            "a schema has entities, whose fields are no relationships and no blobs")
        (self.steps, self.schema, self.seed) = (steps, schema, seed)
    }

    var plan: PlannedHistory {
        let shapes = schema ?? PlannedHistory.shapes(Int(1 + seed % 4), seed: seed)
        return PlannedHistory(seed: seed, stream: 16, steps: steps, shapes: shapes, PlannedHistory.Weights())
    }

    func entity(_ shape: Int) -> String { schema == nil ? "Random\(seed % 1_000)_\(shape)" : "Random\(shape)" }
}
