/// An observer's place among those of a store, for as long as it is kept.
final class ChangeSubscription: Sendable {
    let engine: Engine
    let mailbox = ChangeMailbox()

    /// May wait for the disk.
    init(_ engine: Engine) throws {
        self.engine = engine
        try engine.checkReadable()
        try engine.notifier.subscribe(mailbox, to: engine)
    }

    deinit { engine.notifier.unsubscribe(mailbox) }
}
