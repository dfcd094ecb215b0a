import Commands
import Testing

@Suite("ProgressBar")
struct ProgressBarTests {
    @Test("a bar appears after a second, is redrawn ten times a second, and leaves one line")
    func bar() {
        let fake = FakeTerminal(isTerminal: true)
        let bar = fake.terminal.progress("work", total: 100, unit: .items("rows"))
        bar.advance(by: 10)
        #expect(fake.talk.text == "")
        fake.time.advance(.seconds(1))
        bar.advance(by: 40)
        bar.advance(by: 1)
        #expect(fake.talk.text == "work [##########----------]  50%  50 rows  50/s")
        fake.time.advance(.milliseconds(100))
        bar.update(done: 100)
        bar.finish()
        #expect(fake.talk.text.hasSuffix("\r\u{1B}[Kwork: 100 rows in 1.1 s\n"))
        #expect(fake.talk.text.split(separator: "\r").count == 3)
    }

    @Test("quick work shows nothing")
    func quick() {
        let fake = FakeTerminal(isTerminal: true)
        let bar = fake.terminal.progress("work", total: 1, unit: .items("rows"))
        bar.advance(by: 1)
        bar.finish()
        #expect(fake.talk.text == "")
    }

    @Test("plain lines come every three seconds, where asked for")
    func plain() {
        let silent = FakeTerminal()
        let asked = FakeTerminal(plainProgress: true)
        let insisted = FakeTerminal()
        for (fake, insist, lines) in [(silent, false, 0), (asked, false, 4), (insisted, true, 4)] {
            let bar = fake.terminal.progress("work", total: 8, unit: .items("rows"), insist: insist)
            for _ in 0..<8 {
                fake.time.advance(.seconds(1))
                bar.advance(by: 1)
            }
            bar.finish()
            // At 1, 4 and 7 seconds, and the summary.
            #expect(fake.talk.text.split(separator: "\n").count == lines)
        }
    }
}
