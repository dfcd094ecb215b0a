#include "peer-sqlite-schema.h"

#include <stdio.h>

// A history row names the object, the column and the new value; its own id is the order of changes.
static const char *const history =
    "CREATE TABLE IF NOT EXISTS history (change INTEGER PRIMARY KEY, object, column TEXT, value);"
    "CREATE TRIGGER IF NOT EXISTS posts_inserted AFTER INSERT ON posts BEGIN"
    " INSERT INTO history (object, column, value) VALUES (new.%1$s, 'title', new.title);"
    " INSERT INTO history (object, column, value) VALUES (new.%1$s, 'content', new.content);"
    " INSERT INTO history (object, column, value) VALUES (new.%1$s, 'views', new.views);"
    " INSERT INTO history (object, column, value) VALUES (new.%1$s, 'date', new.date);"
    "END;"
    "CREATE TRIGGER IF NOT EXISTS title_updated AFTER UPDATE OF title ON posts BEGIN"
    " INSERT INTO history (object, column, value) VALUES (new.%1$s, 'title', new.title);"
    "END;"
    "CREATE TRIGGER IF NOT EXISTS content_updated AFTER UPDATE OF content ON posts BEGIN"
    " INSERT INTO history (object, column, value) VALUES (new.%1$s, 'content', new.content);"
    "END;"
    "CREATE TRIGGER IF NOT EXISTS views_updated AFTER UPDATE OF views ON posts BEGIN"
    " INSERT INTO history (object, column, value) VALUES (new.%1$s, 'views', new.views);"
    "END;"
    "CREATE TRIGGER IF NOT EXISTS date_updated AFTER UPDATE OF date ON posts BEGIN"
    " INSERT INTO history (object, column, value) VALUES (new.%1$s, 'date', new.date);"
    "END;";

void schema_sql(const SchemaFlags *flags, bool sequential, char *sql, size_t capacity) {
    int used = snprintf(sql, capacity,
                        "CREATE TABLE IF NOT EXISTS posts (%s PRIMARY KEY, title TEXT, content TEXT, views INTEGER, date INTEGER)%s;"
                        "CREATE TABLE IF NOT EXISTS changesets (number INTEGER PRIMARY KEY, changes BLOB);"
                        "CREATE TABLE IF NOT EXISTS blobs (id INTEGER PRIMARY KEY, bytes BLOB);",
                        sequential ? "id INTEGER" : "key BLOB", flags->without_rowid ? " WITHOUT ROWID" : "");
    if (flags->history_triggers) {
        used += snprintf(sql + used, capacity - (size_t)used, history, sequential ? "id" : "key");
    }
    if (flags->history_index) {
        snprintf(sql + used, capacity - (size_t)used,
                 "CREATE INDEX IF NOT EXISTS history_by_object ON history (object, column);");
    }
}
