import EventLog
import Storage

/// Why an exchange file cannot be used, or not from some place on.
struct ExchangeDamage: Error, Equatable {
    var reason: String
    var offset: UInt64?

    init(_ reason: String, at offset: UInt64? = nil) {
        self.reason = reason
        self.offset = offset
    }

    /// The file system refused: one file that cannot be read must not keep the others back.
    init(_ error: StorageError) { self.init(error.description, at: error.offset) }

    /// Runs `body`, which reads a file of the folder or bytes out of it.
    static func wrap<Result>(
        at offset: UInt64? = nil, _ body: () throws(StorageError) -> Result
    ) throws(ExchangeDamage) -> Result {
        do throws(StorageError) {
            return try body()
        } catch {
            // An offset in a decoded body says nothing about the file.
            throw ExchangeDamage(error.path == nil ? error.detail ?? error.description : error.description, at: offset)
        }
    }
}
