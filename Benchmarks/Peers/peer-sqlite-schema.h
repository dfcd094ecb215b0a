// The tables and triggers of SQLite's variants.
#ifndef PEER_SQLITE_SCHEMA_H
#define PEER_SQLITE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct SchemaFlags {
    bool without_rowid;
    bool history_triggers;
    bool history_index;
} SchemaFlags;

// Writes SQL that makes whatever is missing.
void schema_sql(const SchemaFlags *flags, bool sequential, char *sql, size_t capacity);

#endif
