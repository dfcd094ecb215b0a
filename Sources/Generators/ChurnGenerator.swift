import EventLog
import Projection
import Strandline

/// Makes objects of one entity, and updates, deletes and restores them over time.
public struct ChurnGenerator: Generator, HistoryGenerator {
    /// Inserts, updates, increments, deletes and restores together.
    public var steps: Int
    public var seed: UInt64
    public var batch = 100

    public init(steps: Int = 5_000, seed: UInt64 = 1) {
        precondition(steps >= 0, "a number of steps cannot be negative")
        (self.steps, self.seed) = (steps, seed)
    }

    var plan: PlannedHistory {
        let fields = [
            Property("title", .string), Property("views", .int), Property("rating", .double), Property("seen", .date),
            Property("likes", .counter), Property("isOpen", .bool),
        ]
        return PlannedHistory(
            seed: seed, stream: 14, steps: steps, shapes: [fields],
            PlannedHistory.Weights(inserts: 15, deletes: 15, restores: 12))
    }

    func entity(_ shape: Int) -> String { "Churn" }
}
