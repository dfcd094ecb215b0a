import Strandline

/// Opens a store for a command, and closes it when the command is done with it.
enum StoreAccess {
    /// For looking only: the log is not changed, not even to recover; runs that are damaged are made anew where that is allowed.
    ///
    /// Says what of the projection could not be read.
    ///
    /// - Parameter predicates: the texts in which a mistake is shown.
    static func reading<Result>(
        _ path: String, _ terminal: Terminal, predicates: [String] = [], _ body: (Store) async throws -> Result
    ) async throws -> Result {
        var options = Store.Options()
        options.isReadOnly = true
        options.creates = false
        return try await use(try await Store.open(.directory(path), options: options), terminal, predicates, body)
    }

    /// ``reading(_:_:predicates:_:)`` by Swift types.
    static func reading<each Root: Entity, Result>(
        _ path: String, _ types: repeat (each Root).Type, terminal: Terminal, body: (Store) async throws -> Result
    ) async throws -> Result {
        var options = Store.Options()
        options.isReadOnly = true
        options.creates = false
        return try await use(try await Store.open(.directory(path), repeat each types, options: options), terminal, [], body)
    }

    /// For changing what is there; says what had to be mended.
    static func writing<Result>(
        _ path: String, _ terminal: Terminal, predicates: [String] = [], _ body: (Store) async throws -> Result
    ) async throws -> Result {
        var options = Store.Options()
        options.creates = false
        let store = try await Store.open(.directory(path), options: options)
        report(store.recovery, terminal)
        return try await use(store, terminal, predicates, body)
    }

    /// Writes, and once more where something was in the way that is out of it now: damage of the projection, which was made good.
    static func repeating<Result>(_ write: () async throws -> Result) async throws -> Result {
        do { return try await write() } catch let error as StoreError where error.code == .busy { return try await write() }
    }

    /// For filling it; a store is made where there is none.
    static func making<each Root: Entity, Result>(
        _ path: String, _ types: repeat (each Root).Type, terminal: Terminal, body: (Store) async throws -> Result
    ) async throws -> Result {
        let store = try await Store.open(.directory(path), repeat each types)
        report(store.recovery, terminal)
        return try await use(store, terminal, [], body)
    }

    private static func use<Result>(
        _ store: Store, _ terminal: Terminal, _ predicates: [String], _ body: (Store) async throws -> Result
    ) async throws -> Result {
        defer { for report in store.reports { terminal.say("note: \(report)") } }
        do {
            let result = try await body(store)
            try await store.close()
            return result
        } catch {
            // What went wrong first is what the user must hear of.
            try? await store.close()
            throw (error as? StoreError)?.located(in: predicates) ?? error
        }
    }

    private static func report(_ recovery: RecoveryReport, _ terminal: Terminal) {
        if let file = recovery.quarantined {
            let what =
                switch recovery.tail {
                case .clean, .junk: "bytes that no commit wrote were cut off the end of the log"
                case .torn: "a commit that was never acknowledged was cut off the end of the log"
                case .uncertain: "the last commit could not be read and was cut off the end of the log"
                }
            terminal.say("note: \(what); they are kept in \(file)")
        }
        if let reason = recovery.newReplica { terminal.say("note: the store writes under a new replica id: \(reason)") }
    }
}
