import Strandline

/// Opens a store for a command that fills it, makes it when there is none, and closes it when the command is done with it.
enum LoadedStore {
    static func use<each Root: Entity, Result>(
        _ path: String, _ types: repeat (each Root).Type, body: (Store) async throws -> Result
    ) async throws -> Result {
        let store = try await Store.open(.directory(path), repeat each types)
        do {
            let result = try await body(store)
            try await store.close()
            return result
        } catch {
            // What went wrong first is what the user must hear of.
            try? await store.close()
            throw error
        }
    }
}
