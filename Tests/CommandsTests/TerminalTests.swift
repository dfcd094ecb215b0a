import Commands
import Testing

@Suite("Terminal")
struct TerminalTests {
    @Test("buffers data for programs until it is flushed, or 64 KiB are there")
    func buffer() {
        let fake = FakeTerminal()
        fake.terminal.data("one")
        #expect(fake.output.text == "")
        fake.terminal.flush()
        #expect(fake.output.text == "one\n")
        fake.terminal.data(String(repeating: "x", count: 64 << 10))
        #expect(fake.output.text.utf8.count == 4 + (64 << 10) + 1)
    }

    @Test("data comes before the talk that follows it")
    func order() {
        let fake = FakeTerminal()
        fake.terminal.data("data")
        fake.terminal.say("talk")
        #expect(fake.output.text == "data\n")
        #expect(fake.talk.text == "talk\n")
    }

    @Test("a person sees data at once, and a status line is erased before anything else is written")
    func status() {
        let fake = FakeTerminal(isTerminal: true)
        fake.terminal.status("50%")
        fake.terminal.data("data")
        #expect(fake.output.text == "data\n")
        fake.terminal.status("60%")
        fake.terminal.say("talk")
        fake.terminal.status(nil)
        #expect(fake.talk.text == "50%\r\u{1B}[K60%\r\u{1B}[Ktalk\n")
    }
}
