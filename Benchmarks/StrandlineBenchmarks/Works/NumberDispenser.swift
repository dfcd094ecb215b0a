import Synchronization

/// Gives each number of an ascending series to one task.
final class NumberDispenser: Sendable {
    private let next: Atomic<UInt64>
    private let step: UInt64

    init(from first: UInt64, by step: UInt64) {
        next = Atomic(first)
        self.step = step
    }

    func take() -> UInt64 { next.add(step, ordering: .relaxed).oldValue }
}
