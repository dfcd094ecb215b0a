/// How an exchange deals with the one who asked for it.
package struct ExchangeSteps {
    /// Runs what takes transactions into a log, some megabytes each time, durable when it returns: the place to wait for the
    /// store's writer and to fold what came.
    package var turn: (_ body: () throws -> Void) throws -> Void
    /// Hears how far it has come.
    ///
    /// What it throws ends the exchange, between two turns.
    package var progress: (ExchangeProgress) throws -> Void

    package init(
        turn: @escaping (_ body: () throws -> Void) throws -> Void = { try $0() },
        progress: @escaping (ExchangeProgress) throws -> Void = { _ in }
    ) {
        self.turn = turn
        self.progress = progress
    }
}
