import SampleModel
import Simulation
import Storage
import Strandline
import Testing

/// An update of many objects in runs on a disk that fails, or loses power, at every call in turn.
@Suite struct LiveStateMassUpdateExhaustiveTests {
    private let fixture = MassUpdateFixture()

    /// Whatever fails, the update is there whole or not at all, as it was acknowledged, and the runs are the log's.
    @Test func aDiskThatFailsLeavesItWholeOrNotAtAll() async throws {
        let disk = try await fixture.initial()
        var isTold = false
        let tried = try await forEachFailure(from: disk) { disk in
            isTold = false
            let store = try await fixture.open(disk, seed: 2)
            if (try? await fixture.update(store)) != nil { isTold = true }
            if let seen = try? fixture.changed(store) { #expect(seen == 20 || (!isTold && seen == 0)) }
            try? await store.close()
        } verify: { disk, _ in
            disk.clearFaults()
            let store = try await fixture.open(disk, seed: 99)
            let seen = try fixture.changed(store)
            #expect(seen == 20 || (!isTold && seen == 0))
            #expect(try await store.verifyState().isSound)
            try await fixture.update(store)
            #expect(try fixture.changed(store) == 20)
            try await store.close()
        }
        #expect(tried > 30)
    }

    @Test func aPowerCutLeavesItWholeOrNotAtAll() async throws {
        let disk = try await fixture.initial()
        var isTold = false
        let tried = try await forEachPowerCut(from: disk, seeds: 1, limit: 2) { disk in
            isTold = false
            let store = try await fixture.open(disk, seed: 2)
            try await fixture.update(store)
            isTold = true
            try await store.close()
        } verify: { image, _ in
            let store = try await fixture.open(image, seed: 99)
            let seen = try fixture.changed(store)
            #expect(seen == 20 || (!isTold && seen == 0))
            #expect(try await store.verifyState().isSound)
            try await store.close()
        }
        #expect(tried > 30)
    }
}
