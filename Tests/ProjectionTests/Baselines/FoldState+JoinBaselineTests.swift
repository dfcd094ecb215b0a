import EventLog
import Projection
import Simulation
import Storage
import Testing

/// Joining a baseline object by object comes to what the definition says.
@Suite struct FoldStateJoinBaselineTests {
    private let log: EventLog

    init() throws { log = try EventLog.create(at: "/store", in: .inMemory()) }

    private func file(_ baseline: Baseline) throws -> BaselineFile {
        var writer = try log.makeBaseline()
        try BaselineWriter.write(baseline) { try writer.append($0) }
        return try writer.draftFile()
    }

    @Test func anObjectAtATimeIsAllAtOnce() throws {
        var met = 0
        for seed in 0..<200 {
            let history = try RandomHistory(seed: UInt64(seed), steps: 30)
            guard history.met["clones"] == nil else { continue }
            met += 1
            let states = history.replicas.prefix(2).map(\.state)
            let baselines = states.map { $0.baseline() }
            var defined = FoldState(baselines[0])
            defined.apply(baseline: baselines[1])
            for start in [FoldState(), FoldState.tracking] {
                var state = start
                try state.join(try file(baselines[0]))
                #expect(state.stateDigest == states[0].stateDigest)
                try state.join(try file(baselines[1]))
                #expect(state.stateDigest == defined.stateDigest, "seed \(seed)")
                #expect(state.baseline() == defined.baseline())
                #expect(state.description == defined.description)
            }
        }
        #expect(met > 50)
    }

    /// What is streamed from runs and memory is what the definition gives.
    @Test func aStateIsStreamedAsItIs() throws {
        let environment = Environment.inMemory()
        for seed in 0..<60 {
            let history = try RandomHistory(seed: UInt64(seed), steps: 30)
            let expected = history.replicas[0].state.baseline()
            let directory = ProjectionDirectory("/runs\(seed)", in: environment, cacheBytes: 1 << 20)
            #expect(try directory.tryLock())
            var state = FoldState.tracking
            var count = 0
            try state.join(try file(expected)) { state in
                count += 1
                guard count % 3 == 0 else { return }
                state.freeze()
                state.replaceBase(try directory.flush(state.view()), withFrozen: state.objects.frozenCount)
            }
            var bodies: [[UInt8]] = []
            try BaselineWriter.write(state) { bodies.append($0) }
            #expect(try Baseline(bodies: bodies) == expected, "seed \(seed)")
            directory.unlock()
        }
    }
}
