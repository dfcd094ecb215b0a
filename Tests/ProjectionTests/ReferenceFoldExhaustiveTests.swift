import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Random histories: 200 in a debug build, 10,000 in a release build, or as many as STRANDLINE_SEEDS says.
///
/// A failure names its seed.
@Suite struct ReferenceFoldExhaustiveTests {
    @Test func everyOrderOfDeliveryGivesOneStateAndAllIsMet() async throws {
        let met = try await withThrowingTaskGroup(of: [String: Int].self) { group in
            for share in 1...Self.shares {
                group.addTask {
                    var check = HistoryCheck()
                    for seed in stride(from: share, through: Self.seeds, by: Self.shares) {
                        try check.check(seed: UInt64(seed))
                    }
                    return check.met
                }
            }
            return try await group.reduce(into: [:]) { sum, met in sum.merge(met, uniquingKeysWith: +) }
        }
        for what in HistoryCheck.required {
            #expect(met[what, default: 0] > 0, "no history among \(Self.seeds) met: \(what)")
        }
        print(
            "histories: \(Self.seeds);",
            met.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; "))
    }

    /// As many as there are cores on a small machine, and some.
    private static let shares = 4

    private static var seeds: Int {
        if let text = unsafe getenv("STRANDLINE_SEEDS"), let count = Int(unsafe String(cString: text)), count > 0 {
            return count
        }
        var isDebug = false
        assert(
            {
                isDebug = true
                return true
            }())
        return isDebug ? 200 : 10_000
    }
}
