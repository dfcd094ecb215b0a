#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of a number to a function, which Swift cannot import.

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    // No bytes are an empty blob, not null.
    return length == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                       : sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}
