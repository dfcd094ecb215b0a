import EventLog
import Testing

/// The table of verdicts in SPEC.md, section 4.9, row by row.
@Suite struct TailEvidenceTests {
    private static let stop: UInt64 = 20_480

    private func evidence(_ change: (inout TailEvidence) -> Void) -> TailEvidence.Verdict {
        var evidence = TailEvidence(stop: Self.stop, nextLSN: 10, group: 4)
        change(&evidence)
        return evidence.verdict
    }

    private func mark(isClean: Bool, end: UInt64) -> Watermark {
        Watermark(isClean: isClean, counter: 1, end: end, lastLSN: 9, group: 4, link: 0, checkpoint: 0)
    }

    private func isCorrupt(_ verdict: TailEvidence.Verdict) -> Bool {
        if case .corrupt(offset: Self.stop, _) = verdict { true } else { false }
    }

    @Test func zerosAreACleanEnd() { #expect(evidence { _ in } == .clean) }

    @Test func whatWasDurableIsMissed() {
        #expect(isCorrupt(evidence { $0.watermark = mark(isClean: false, end: Self.stop + 4096) }))
        #expect(isCorrupt(evidence { $0.proof = Self.stop + 8192 }))
        #expect(isCorrupt(evidence { $0.laterGroup = Self.stop + 8192 }))
        #expect(isCorrupt(evidence { $0.announced = 10 }))
        #expect(evidence { $0.announced = 9 } == .clean)
        // Even inside a group, and even when the rest is zero.
        #expect(
            isCorrupt(
                evidence {
                    $0.insideGroup = true
                    $0.laterGroup = Self.stop + 4096
                    $0.nonZero = Self.stop..<Self.stop + 5000
                }))
    }

    @Test func aFileThatEndsWithAGroupWasCut() {
        #expect(evidence { $0.isCutShort = true } == .uncertain)
        #expect(
            evidence {
                $0.isCutShort = true
                $0.watermark = mark(isClean: false, end: Self.stop)
            } == .uncertain)
        #expect(
            evidence {
                $0.isCutShort = true
                $0.watermark = mark(isClean: true, end: Self.stop)
            } == .clean)
    }

    @Test func moreThanOneCommitCanLeave() {
        #expect(isCorrupt(evidence { $0.nonZero = Self.stop + (16 << 20)..<Self.stop + (16 << 20) + 1 }))
        #expect(evidence { $0.nonZero = Self.stop + (4 << 20)..<Self.stop + (4 << 20) + 1 } == .uncertain)
    }

    @Test func junkTornAndUncertain() {
        let some = Self.stop..<Self.stop + 100
        #expect(
            evidence {
                $0.nonZero = some
                $0.watermark = mark(isClean: true, end: Self.stop)
                $0.insideGroup = true
            } == .junk)
        #expect(
            evidence {
                $0.nonZero = some
                $0.watermark = mark(isClean: false, end: Self.stop)
                $0.insideGroup = true
            } == .torn)
        #expect(
            evidence {
                $0.nonZero = some
                $0.isInterruptedSeal = true
            } == .torn)
        #expect(evidence { $0.nonZero = some } == .uncertain)
    }
}
