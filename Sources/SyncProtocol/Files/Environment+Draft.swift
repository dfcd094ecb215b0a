import Storage

extension Environment {
    /// An unfinished file of a name that nobody has: chance repeats when a simulated machine restarts, and leftovers may lie there.
    func createDraft(in directory: String) throws(StorageError) -> (path: String, file: any File) {
        var attempts = 0
        while true {
            let path = Path.join(directory, ExchangeFormat.draftName(random.next()))
            do throws(StorageError) {
                return (path, try fileSystem.open(path, .createNew))
            } catch {
                attempts += 1
                guard error.code == .alreadyExists, attempts < 100 else { throw error }
            }
        }
    }
}
