import Simulation
import Storage
import Testing

/// The loops must find a mistake that is there: a tool that cannot fail proves nothing.
@Suite struct PowerCutTests {
    private struct Wrong: Error {}

    /// A replacement with some of its steps left out.
    private func carelessReplace(
        _ disk: SimulatedFileSystem, skipSync: Bool = false, skipDirectory: Bool = false, inPlace: Bool = false
    ) throws {
        let new = [UInt8](repeating: 2, count: 2_000)
        let file = try disk.open(inPlace ? "/a" : "/t", .create)
        try file.write(new.span, at: 0)
        if !skipSync { try file.sync() }
        if !inPlace { try disk.rename("/t", to: "/a") }
        if !skipDirectory { try disk.syncDirectory("/") }
    }

    private func survives(_ body: (SimulatedFileSystem) throws -> Void) throws -> Bool {
        let disk = SimulatedFileSystem()
        try disk.replace("/a", with: [UInt8](repeating: 1, count: 2_000))
        var isAcknowledged = false
        do {
            try forEachPowerCut(from: disk) { disk in
                isAcknowledged = false
                try body(disk)
                isAcknowledged = true
            } verify: { image, _ in
                let found = try image.readWhole("/a", limit: 9_999)
                guard found.count == 2_000, Set(found).count == 1, found[0] == 2 || !isAcknowledged else { throw Wrong() }
            }
            return true
        } catch let failure as SimulationFailure {
            #expect(failure.underlying is Wrong, "\(failure)")
            return false
        }
    }

    @Test func everyOmissionIsFound() throws {
        #expect(try survives { try carelessReplace($0) })
        #expect(try !survives { try carelessReplace($0, skipSync: true) })
        #expect(try !survives { try carelessReplace($0, skipDirectory: true) })
        #expect(try !survives { try carelessReplace($0, inPlace: true) })
    }

    @Test func failuresNameTheirCircumstance() throws {
        let failure = #expect(throws: SimulationFailure.self) {
            try forEachPowerCut { disk in
                try disk.replace("/a", with: [1])
            } verify: { image, _ in
                if try image.attributes(of: "/a") != nil { throw Wrong() }
            }
        }
        #expect(failure?.description.contains("power cut") == true)
        #expect(throws: SimulationFailure.self) {
            try forEachPowerCut { _ in
                throw Wrong()
            } verify: { _, _ in
            }
        }
        #expect(throws: SimulationFailure.self) {
            try forEachFailure { _ in
                throw Wrong()
            } verify: { _, _ in
            }
        }
    }

    @Test func failureLoopFindsALie() throws {
        let failure = #expect(throws: SimulationFailure.self) {
            var isAcknowledged = false
            try forEachFailure { disk in
                isAcknowledged = false
                let file = try disk.open("/a", .create)
                try file.write([1].span, at: 0)
                // The mistake: asking again after a failed sync.
                do { try file.sync() } catch { try file.sync() }
                try disk.syncDirectory("/")
                isAcknowledged = true
            } verify: { disk, _ in
                guard isAcknowledged else { return }
                let image = disk.crash(keeping: .none)
                guard try image.readWhole("/a", limit: 9) == [1] else { throw Wrong() }
            }
        }
        #expect(failure?.circumstance.contains("losesUnsynced") == true, "\(String(describing: failure))")
    }

    @Test func suspendingBodiesWork() async throws {
        let verified = try await forEachPowerCut { disk in
            await Task.yield()
            try disk.replace("/a", with: [1])
        } verify: { image, _ in
            await Task.yield()
            _ = try image.list("/")
        }
        #expect(verified > 10)
        let tried = try await forEachFailure { disk in
            await Task.yield()
            try disk.replace("/a", with: [1])
        } verify: { disk, _ in
            await Task.yield()
            _ = try disk.list("/")
        }
        #expect(tried > 10)
    }
}
