// Invariants
// * Belongs to the task that made it.
// * A pointer of SQLite's never leaves this file; texts and bytes are copied in and out.

import CSQLite

/// A database of SQLite in memory.
@safe final class Database {
    struct Failure: Error, CustomStringConvertible {
        let message: String
        let sql: String
        var description: String { "SQLite: \(message), in: \(sql)" }
    }

    /// A prepared statement, finalized with the last reference to it.
    @safe private final class Statement {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }
        deinit { unsafe sqlite3_finalize(pointer) }
    }

    private let handle: OpaquePointer
    /// Prepared before; an insert of many rows is prepared once.
    private var statements: [String: Statement] = [:]

    init() throws {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open(":memory:", &opened)
        guard code == SQLITE_OK, let opened = unsafe opened else { throw Failure(message: "code \(code)", sql: ":memory:") }
        unsafe handle = opened
        // LIKE would take ASCII capitals as small letters.
        try run("PRAGMA case_sensitive_like = 1")
    }

    deinit {
        statements = [:]
        unsafe sqlite3_close(handle)
    }

    /// How many rows the latest UPDATE or DELETE changed.
    var changes: Int { unsafe Int(sqlite3_changes(handle)) }

    /// Runs a statement and gives its rows.
    @discardableResult
    func run(_ sql: String, _ bindings: [SQLValue] = []) throws -> [[SQLValue]] {
        let statement = unsafe try prepared(sql)
        defer { unsafe sqlite3_reset(statement) }
        for (index, value) in bindings.enumerated() {
            let code = unsafe Self.bind(value, to: statement, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw failure(sql) }
        }
        var rows: [[SQLValue]] = []
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append(unsafe (0..<sqlite3_column_count(statement)).map { unsafe Self.value(of: statement, at: $0) })
            case SQLITE_DONE: return rows
            default: throw failure(sql)
            }
        }
    }

    private func prepared(_ sql: String) throws -> OpaquePointer {
        if let known = statements[sql] { return unsafe known.pointer }
        // Queries differ each time: they do not pile up.
        if statements.count > 64 { statements = [:] }
        var made: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &made, nil)
        guard code == SQLITE_OK, let made = unsafe made else { throw failure(sql) }
        statements[sql] = unsafe Statement(made)
        return unsafe made
    }

    private func failure(_ sql: String) -> Failure {
        Failure(message: unsafe String(cString: sqlite3_errmsg(handle)), sql: sql)
    }

    private static func bind(_ value: SQLValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null: return unsafe sqlite3_bind_null(statement, index)
        case .integer(let number): return unsafe sqlite3_bind_int64(statement, index, number)
        case .real(let number): return unsafe sqlite3_bind_double(statement, index, number)
        case .text(let text): return unsafe csqlite_bind_text(statement, index, text, Int32(text.utf8.count))
        case .blob(let bytes):
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe csqlite_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count))
            }
        }
    }

    private static func value(of statement: OpaquePointer, at index: Int32) -> SQLValue {
        switch unsafe sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT:
            let number = unsafe sqlite3_column_double(statement, index)
            return .real(number == 0 ? 0 : number)
        case SQLITE_TEXT:
            guard let text = unsafe sqlite3_column_text(statement, index) else { return .null }
            return .text(unsafe String(cString: text))
        case SQLITE_BLOB:
            let count = unsafe Int(sqlite3_column_bytes(statement, index))
            guard count > 0, let bytes = unsafe sqlite3_column_blob(statement, index) else { return .blob([]) }
            return .blob(unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        default: return .null
        }
    }
}
