// SQLite. A session is a connection of its own with its prepared statements; with --funnel all sessions share one connection,
// one commit at a time under `funnel`, as an application with a single database queue would.
//
// Every variant stores the same posts. --session and --history-triggers also keep history, in the same transaction.
#include "peer-sqlite.h"

#include "measure.h"
#include "peer-sqlite-schema.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { piece_size = 512 * 1024 };

static struct {
    SchemaFlags schema;
    bool session;
    bool funnel;
    const char *auto_checkpoint;
} flags = {.auto_checkpoint = "1000"};

static pthread_mutex_t funnel = PTHREAD_MUTEX_INITIALIZER;

typedef struct Store {
    char path[4096];
    uint64_t cache_mib;
    bool sequential;
    Session *first;
} Store;

void sqlite_check(sqlite3 *db, int code, const char *doing) {
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
        fail("%s: %s (code %d)", doing, sqlite3_errmsg(db), sqlite3_extended_errcode(db));
    }
}

void sqlite_execute(sqlite3 *db, const char *sql) {
    sqlite_check(db, sqlite3_exec(db, sql, NULL, NULL, NULL), sql);
}

sqlite3_stmt *sqlite_prepare(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement;
    sqlite_check(db, sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), sql);
    return statement;
}

int sqlite_step(Session *session, sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite_check(session->db, code, sqlite3_sql(statement));
    return code;
}

void sqlite_run(Session *session, sqlite3_stmt *statement) {
    sqlite_step(session, statement);
    sqlite_check(session->db, sqlite3_reset(statement), sqlite3_sql(statement));
}

static int take_option(const char *flag, const char *value) {
    const struct {
        const char *flag;
        bool *set;
    } known[] = {
        {"--session", &flags.session},
        {"--history-triggers", &flags.schema.history_triggers},
        {"--history-index", &flags.schema.history_index},
        {"--without-rowid", &flags.schema.without_rowid},
        {"--funnel", &flags.funnel},
        {"--one-transaction", &sqlite_applies_at_once},
    };
    for (size_t at = 0; at < sizeof known / sizeof *known; at++) {
        if (strcmp(flag, known[at].flag) == 0) {
            return *known[at].set = true;
        }
    }
    if (strcmp(flag, "--auto-checkpoint") == 0 && value != NULL) {
        flags.auto_checkpoint = value;
        return 2;
    }
    return 0;
}

static void describe(const Options *options, char *text, size_t capacity) {
    bool crowd = strcmp(options->work, "concurrent") == 0;
    snprintf(text, capacity,
             "WAL, synchronous=FULL, wal_autocheckpoint=%s pages, page cache %d MiB, prepared statements, %s%s%s%s%s%s%s",
             flags.auto_checkpoint, (int)options->cache_mib,
             options->workload.sequential ? "integer primary key" : "blob primary key",
             flags.schema.without_rowid ? " WITHOUT ROWID" : "",
             flags.session ? ", changeset of the session extension kept per commit" : "",
             flags.schema.history_triggers ? ", history row per column by trigger" : "",
             flags.schema.history_index ? " with an index by object" : "",
             sqlite_applies_at_once ? ", all changesets in one transaction" : "",
             !crowd ? "" : flags.funnel ? ", one connection behind a mutex" : ", one connection per thread, busy_timeout 60 s");
}

static void configure(const Store *store, sqlite3 *db) {
    char cache[64], checkpoint[64];
    snprintf(cache, sizeof cache, "PRAGMA cache_size = -%d", (int)(store->cache_mib << 10));
    snprintf(checkpoint, sizeof checkpoint, "PRAGMA wal_autocheckpoint = %d", atoi(flags.auto_checkpoint));
    sqlite_check(db, sqlite3_busy_timeout(db, 60000), "set the busy timeout");
    sqlite_execute(db, "PRAGMA journal_mode = WAL");
    sqlite_execute(db, "PRAGMA synchronous = FULL");
    sqlite_execute(db, cache);
    sqlite_execute(db, checkpoint);
}

static Session *connect_session(const Store *store) {
    Session *session = allocate(sizeof *session);
    memset(session, 0, sizeof *session);
    session->sequential = store->sequential;
    int code = sqlite3_open(store->path, &session->db);
    sqlite_check(session->db, code, store->path);
    configure(store, session->db);
    return session;
}

static void prepare_all(const Store *store, Session *session) {
    session->begin = sqlite_prepare(session->db, "BEGIN IMMEDIATE");
    session->commit = sqlite_prepare(session->db, "COMMIT");
    session->insert = sqlite_prepare(session->db, "INSERT INTO posts VALUES (?, ?, ?, ?, ?)");
    session->select = sqlite_prepare(session->db, store->sequential ? "SELECT title, content, views, date FROM posts WHERE id = ?"
                                                             : "SELECT title, content, views, date FROM posts WHERE key = ?");
    session->keep_changes = flags.session ? sqlite_prepare(session->db, "INSERT INTO changesets (changes) VALUES (?)") : NULL;
}

static void *open_store(const Options *options) {
    Store *store = allocate(sizeof *store);
    *store = (Store){.cache_mib = options->cache_mib, .sequential = options->workload.sequential};
    snprintf(store->path, sizeof store->path, "%s/posts.sqlite", options->directory);
    store->first = connect_session(store);
    char schema[4096];
    schema_sql(&flags.schema, store->sequential, schema, sizeof schema);
    sqlite_execute(store->first->db, schema);
    prepare_all(store, store->first);
    return store;
}

static void disconnect(Session *session) {
    sqlite3_stmt *statements[] = {session->begin, session->commit, session->insert, session->select, session->keep_changes};
    for (size_t at = 0; at < sizeof statements / sizeof *statements; at++) {
        sqlite3_finalize(statements[at]);
    }
    sqlite_check(session->db, sqlite3_close(session->db), "close");
    free(session);
}

static void close_store(void *context) {
    Store *store = context;
    disconnect(store->first);
    free(store);
}

static void *attach(void *context) {
    Store *store = context;
    if (flags.funnel) {
        store->first->shared = true;
        return store->first;
    }
    Session *session = connect_session(store);
    prepare_all(store, session);
    return session;
}

static void detach(void *context) {
    Session *session = context;
    if (!session->shared) {
        disconnect(session);
    }
}

static void bind_key(const Session *session, sqlite3_stmt *statement, const uint8_t *key) {
    if (session->sequential) {
        uint64_t id;
        memcpy(&id, key + 8, 8);
        sqlite3_bind_int64(statement, 1, (int64_t)__builtin_bswap64(id));
    } else {
        sqlite3_bind_blob(statement, 1, key, KEY_SIZE, SQLITE_STATIC);
    }
}

static void insert_posts(Session *session, const Post *posts, size_t count) {
    for (size_t at = 0; at < count; at++) {
        const Post *post = &posts[at];
        bind_key(session, session->insert, post->key);
        sqlite3_bind_text(session->insert, 2, post->title, post->title_length, SQLITE_STATIC);
        sqlite3_bind_text(session->insert, 3, post->content, post->content_length, SQLITE_STATIC);
        sqlite3_bind_int64(session->insert, 4, post->views);
        sqlite3_bind_int64(session->insert, 5, post->date);
        sqlite_run(session, session->insert);
    }
}

static void insert_with_changeset(Session *session, const Post *posts, size_t count) {
    sqlite3_session *recorder;
    sqlite_check(session->db, sqlite3session_create(session->db, "main", &recorder), "start a recording session");
    sqlite_check(session->db, sqlite3session_attach(recorder, "posts"), "record posts");
    insert_posts(session, posts, count);
    int size = 0;
    void *changes = NULL;
    sqlite_check(session->db, sqlite3session_changeset(recorder, &size, &changes), "make the changeset");
    sqlite3session_delete(recorder);
    sqlite3_bind_blob(session->keep_changes, 1, changes, size, SQLITE_STATIC);
    sqlite_run(session, session->keep_changes);
    sqlite3_free(changes);
}

static void commit(void *context, const Post *posts, size_t count) {
    Session *session = context;
    bool lone = count == 1 && !flags.session; // a lone statement is its own transaction, history triggers included
    if (session->shared) {
        pthread_mutex_lock(&funnel);
    }
    if (!lone) {
        sqlite_run(session, session->begin);
    }
    (flags.session ? insert_with_changeset : insert_posts)(session, posts, count);
    if (!lone) {
        sqlite_run(session, session->commit);
    }
    if (session->shared) {
        pthread_mutex_unlock(&funnel);
    }
}

static double settle(void *context) {
    Store *store = context;
    int log_pages = 0, done = 0;
    sqlite_check(store->first->db, sqlite3_wal_checkpoint_v2(store->first->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, &log_pages, &done),
          "checkpoint");
    return seconds_now();
}

static void visit_row(sqlite3_stmt *row, int first, const uint8_t *key, PostVisitor visit, void *context) {
    Post post = {
        .key = key,
        .title = (const char *)sqlite3_column_text(row, first),
        .content = (const char *)sqlite3_column_text(row, first + 1),
        .title_length = (uint16_t)sqlite3_column_bytes(row, first),
        .content_length = (uint16_t)sqlite3_column_bytes(row, first + 1),
        .views = sqlite3_column_int64(row, first + 2),
        .date = sqlite3_column_int64(row, first + 3),
    };
    visit(context, &post);
}

// No ORDER BY: rows come in the table's own order, which is the order of insertion unless the table is WITHOUT ROWID.
static void scan(void *context, PostVisitor visit, void *visit_context) {
    Session *session = context;
    sqlite3_stmt *rows = sqlite_prepare(session->db, "SELECT * FROM posts");
    while (sqlite_step(session, rows) == SQLITE_ROW) {
        uint8_t id[KEY_SIZE];
        const uint8_t *key = id;
        if (session->sequential) {
            sequential_key((uint64_t)sqlite3_column_int64(rows, 0) - 1, id);
        } else {
            key = sqlite3_column_blob(rows, 0);
        }
        visit_row(rows, 1, key, visit, visit_context);
    }
    sqlite3_finalize(rows);
}

static void begin_reads(void *session) {
    sqlite_execute(((Session *)session)->db, "BEGIN");
}

static void end_reads(void *session) {
    sqlite_execute(((Session *)session)->db, "COMMIT");
}

static bool get(void *context, const uint8_t key[KEY_SIZE], PostVisitor visit, void *visit_context) {
    Session *session = context;
    bind_key(session, session->select, key);
    bool found = sqlite_step(session, session->select) == SQLITE_ROW;
    if (found) {
        visit_row(session->select, 0, key, visit, visit_context);
    }
    sqlite3_reset(session->select);
    return found;
}

static void put_blob(void *context, uint64_t index, const uint8_t *bytes, size_t size) {
    Session *session = context;
    sqlite3_stmt *insert = sqlite_prepare(session->db, "INSERT INTO blobs VALUES (?, ?)");
    sqlite3_bind_int64(insert, 1, (int64_t)index + 1);
    sqlite_check(session->db, sqlite3_bind_blob64(insert, 2, bytes, size, SQLITE_STATIC), "bind a blob");
    sqlite_step(session, insert);
    sqlite3_finalize(insert);
}

static uint64_t read_blob(void *context, uint64_t index) {
    static _Thread_local uint8_t piece[piece_size];
    Session *session = context;
    sqlite3_blob *blob;
    sqlite_check(session->db, sqlite3_blob_open(session->db, "main", "blobs", "bytes", (int64_t)index + 1, 0, &blob), "open a blob");
    XXH3_state_t state;
    XXH3_64bits_reset_withSeed(&state, index);
    int size = sqlite3_blob_bytes(blob);
    for (int at = 0; at < size; at += piece_size) {
        int length = size - at < piece_size ? size - at : piece_size;
        sqlite_check(session->db, sqlite3_blob_read(blob, piece, length, at), "read a blob");
        XXH3_64bits_update(&state, piece, (size_t)length);
    }
    sqlite3_blob_close(blob);
    return XXH3_64bits_digest(&state);
}

int main(int argc, char **argv) {
    static const Peer peer = {
        .name = "sqlite",
        .own_flags = "  --session           keep a changeset of the session extension with every commit\n"
                     "  --history-triggers  keep a history row per column by trigger; --history-index indexes it by object\n"
                     "  --without-rowid, --auto-checkpoint PAGES (1000)\n"
                     "  --funnel            concurrent: one connection behind a mutex\n"
                     "  --one-transaction   remote: all changesets in one\n",
        .version = sqlite3_libversion, .option = take_option, .open = open_store, .close = close_store, .describe = describe,
        .attach = attach, .detach = detach, .commit = commit, .settle = settle, .scan = scan,
        .begin_reads = begin_reads, .end_reads = end_reads, .get = get,
        .count_above = sqlite_count_above, .average_by_title = sqlite_average_by_title, .set_views = sqlite_set_views,
        .make_changes = sqlite_make_changes, .apply_changes = sqlite_apply_changes, .put_blob = put_blob, .read_blob = read_blob,
    };
    return drive(&peer, argc, argv);
}
