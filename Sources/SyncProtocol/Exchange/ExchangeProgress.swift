/// How far an exchange has come.
package struct ExchangeProgress: Sendable, Equatable {
    package enum Phase: String, Sendable {
        case importing, publishing
    }

    package var phase: Phase
    /// Files or groups of transactions dealt with, and how many there are; 0 when that is not known.
    package var done: Int
    package var total: Int
    /// The report so far.
    package var report: ExchangeReport

    package init(phase: Phase, done: Int, total: Int, report: ExchangeReport) {
        self.phase = phase
        self.done = done
        self.total = total
        self.report = report
    }
}
