import Foundation
import Storage
import Testing

/// The example in SPEC.md is a segment that the engine writes.
@Suite struct WorkedExampleTests {
    @Test(.enabled(if: FormatFixtures.isWriting)) func writeTheExample() throws {
        let shown = try #require(try WorkedExample.shown())
        let text = shown.before + (try WorkedExample.text()) + shown.after
        try text.write(toFile: WorkedExample.specification, atomically: true, encoding: .utf8)
    }

    @Test(.enabled(if: !FormatFixtures.isWriting)) func theExampleIsWhatIsWritten() throws {
        let shown = try #require(try WorkedExample.shown(), "SPEC.md has no worked example between its marks")
        #expect(shown.example == (try WorkedExample.text()))
    }

    @Test func everyByteIsExplained() throws {
        let text = try WorkedExample.text()
        #expect(!text.contains("NOT"))
        #expect(text.contains("\"Hello\"") && text.contains("watermark") && text.contains("a batch"))
    }
}
