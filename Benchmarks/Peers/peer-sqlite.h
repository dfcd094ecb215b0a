// What the files of SQLite's driver share.
#ifndef PEER_SQLITE_H
#define PEER_SQLITE_H

#define SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_PREUPDATE_HOOK
#include "peer.h"

#include <sqlite3.h>

typedef struct Session {
    sqlite3 *db;
    sqlite3_stmt *begin, *commit, *insert, *select, *keep_changes;
    bool sequential;
    bool shared;
} Session;

// All end the process with what SQLite says when it fails.
void sqlite_check(sqlite3 *db, int code, const char *doing);
void sqlite_execute(sqlite3 *db, const char *sql);
sqlite3_stmt *sqlite_prepare(sqlite3 *db, const char *sql);
int sqlite_step(Session *session, sqlite3_stmt *statement);
void sqlite_run(Session *session, sqlite3_stmt *statement);

// As peer.h says.
uint64_t sqlite_count_above(void *session, int64_t views);
size_t sqlite_average_by_title(void *session, int64_t views, Group *groups, size_t capacity);
uint64_t sqlite_set_views(void *session, int64_t below, int64_t views);
void sqlite_make_changes(const Options *options);
size_t sqlite_apply_changes(void *session, const Options *options, uint32_t *latencies);

// All changesets are applied in one transaction, and not each in its own.
extern bool sqlite_applies_at_once;

#endif
