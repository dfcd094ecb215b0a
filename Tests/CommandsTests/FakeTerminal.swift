import Commands
import Synchronization

/// A terminal whose streams and clock a test holds in its hands.
struct FakeTerminal {
    let output: RecordingStream
    let talk: RecordingStream
    let time = ManualTime()
    let terminal: Terminal

    init(isTerminal: Bool = false, plainProgress: Bool = false) {
        output = RecordingStream(isTerminal: isTerminal)
        talk = RecordingStream(isTerminal: isTerminal)
        terminal = Terminal(output: output, talk: talk, plainProgress: plainProgress) { [time] in time.now }
    }
}

final class ManualTime: Sendable {
    private let value = Mutex(Duration.zero)
    var now: Duration { value.withLock { $0 } }

    func advance(_ step: Duration) {
        value.withLock { $0 += step }
    }
}
