import Storage
import Synchronization
import Testing

@Suite struct WorkerThreadsTests {
    /// More than any pool of a fixed width has threads: each waits until all have begun.
    @Test func jobsThatWaitForEachOtherAllRun() async throws {
        let count = 600
        let begun = Count()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await onWorker {
                        begun.add(1)
                        while true {
                            let ticket = begun.changed.generation
                            if begun.now == count { return true }
                            guard begun.changed.wait(past: ticket, milliseconds: 1_200_000) else { return false }
                        }
                    }
                }
            }
            for try await isTogether in group { #expect(isTogether) }
        }
    }

    @Test func everyJobRunsOnce() async throws {
        let total = Count()
        for _ in 0..<20 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 { group.addTask { try await onWorker { total.add(number) } } }
                try await group.waitForAll()
            }
        }
        #expect(total.now == 20 * 1_225)
    }

    private final class Captured: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private struct WeakCaptured {
        weak var captured: Captured?
    }

    /// A thread rests for seconds before it ends; what its last job captured does not wait for that.
    @Test func whatAJobCapturedGoesWhenItIsDone() async throws {
        var held: [WeakCaptured] = []
        let total = Count()
        let gate = WakeSignal()
        for number in 0..<40 {
            let captured = Captured(number)
            held.append(WeakCaptured(captured: captured))
            // All run at once, so that most have a thread that was started for them.
            try WorkerThreads.run {
                gate.wait(past: 0)
                total.add(captured.number)
            }
        }
        gate.advance()
        for _ in 0..<2_000 where total.now < 780 || held.contains(where: { $0.captured != nil }) {
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(total.now == 780)
        #expect(held.filter { $0.captured != nil }.isEmpty)
    }

    @Test func aThreadKnowsItself() async throws {
        let outcome = try await onWorker { () -> (isSame: Bool, isOther: Bool) in
            let outer = ThreadIdentity.current
            let others = Count()
            let done = WakeSignal()
            try WorkerThreads.run {
                if ThreadIdentity.current != outer { others.add(1) }
                done.advance()
            }
            done.wait(past: 0)
            return (outer == .current, others.now == 1)
        }
        #expect(outcome.isSame)
        #expect(outcome.isOther)
    }
}

private final class Count: Sendable {
    private let value = Mutex(0)
    let changed = WakeSignal()

    var now: Int { value.withLock { $0 } }

    func add(_ number: Int) {
        value.withLock { $0 += number }
        changed.advance()
    }
}

private func onWorker<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        do {
            try WorkerThreads.run { continuation.resume(with: Result(catching: body)) }
        } catch {
            continuation.resume(throwing: error)
        }
    }
}
