// LMDB. The environment may be used by all threads; writers queue on LMDB's own mutex. A session holds at most one read
// transaction, open between begin_reads and end_reads only, because an open reader keeps old pages from being used again.
#include "measure.h"
#include "peer.h"

#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Store {
    MDB_env *environment;
    MDB_dbi table;
    unsigned put_flags;
} Store;

typedef struct Session {
    Store *store;
    MDB_txn *reader;
} Session;

static void check(int code, const char *doing) {
    if (code != MDB_SUCCESS) {
        fail("%s: %s", doing, mdb_strerror(code));
    }
}

static const char *version(void) {
    static char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", MDB_VERSION_MAJOR, MDB_VERSION_MINOR, MDB_VERSION_PATCH);
    return text;
}

static int take_option(const char *flag, const char *value) {
    (void)flag;
    (void)value;
    return 0;
}

static void describe(const Options *options, char *text, size_t capacity) {
    snprintf(text, capacity, "default durability (no NOSYNC, NOMETASYNC, WRITEMAP), map 8 GiB set beforehand, no checksums%s",
             options->workload.sequential ? ", MDB_APPEND" : "");
}

static void *open_store(const Options *options) {
    Store *store = allocate(sizeof *store);
    store->put_flags = options->workload.sequential && strcmp(options->work, "concurrent") != 0 ? MDB_APPEND : 0;
    check(mdb_env_create(&store->environment), "create the environment");
    check(mdb_env_set_mapsize(store->environment, (size_t)8 << 30), "set the map size");
    check(mdb_env_set_maxreaders(store->environment, 126), "set the number of readers");
    check(mdb_env_open(store->environment, options->directory, 0, 0644), "open");
    MDB_txn *transaction;
    check(mdb_txn_begin(store->environment, NULL, 0, &transaction), "begin");
    check(mdb_dbi_open(transaction, NULL, 0, &store->table), "open the table");
    check(mdb_txn_commit(transaction), "commit");
    return store;
}

static void close_store(void *context) {
    Store *store = context;
    mdb_env_close(store->environment);
    free(store);
}

static void *attach(void *store) {
    Session *session = allocate(sizeof *session);
    *session = (Session){store, NULL};
    return session;
}

static void detach(void *session) {
    free(session);
}

static void commit(void *context, const Post *posts, size_t count) {
    Session *session = context;
    MDB_txn *transaction;
    check(mdb_txn_begin(session->store->environment, NULL, 0, &transaction), "begin");
    for (size_t at = 0; at < count; at++) {
        uint8_t bytes[VALUE_CAPACITY];
        MDB_val key = {KEY_SIZE, (void *)posts[at].key};
        MDB_val value = {post_encode(&posts[at], bytes), bytes};
        check(mdb_put(transaction, session->store->table, &key, &value, session->store->put_flags), "put");
    }
    check(mdb_txn_commit(transaction), "commit");
}

static void begin_reads(void *context) {
    Session *session = context;
    check(mdb_txn_begin(session->store->environment, NULL, MDB_RDONLY, &session->reader), "begin reading");
}

static void end_reads(void *context) {
    Session *session = context;
    mdb_txn_abort(session->reader);
    session->reader = NULL;
}

static void visit_value(const MDB_val *key, const MDB_val *value, PostVisitor visit, void *context) {
    Post post;
    if (!post_decode(key->mv_data, value->mv_data, value->mv_size, &post)) {
        fail("a stored value of %zu bytes is not a post", value->mv_size);
    }
    visit(context, &post);
}

static void scan(void *context, PostVisitor visit, void *visit_context) {
    Session *session = context;
    begin_reads(session);
    MDB_cursor *cursor;
    check(mdb_cursor_open(session->reader, session->store->table, &cursor), "open a cursor");
    MDB_val key, value;
    int code;
    while ((code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == MDB_SUCCESS) {
        visit_value(&key, &value, visit, visit_context);
    }
    if (code != MDB_NOTFOUND) {
        check(code, "scan");
    }
    mdb_cursor_close(cursor);
    end_reads(session);
}

static bool get(void *context, const uint8_t key[KEY_SIZE], PostVisitor visit, void *visit_context) {
    Session *session = context;
    MDB_val name = {KEY_SIZE, (void *)key};
    MDB_val value;
    int code = mdb_get(session->reader, session->store->table, &name, &value);
    if (code == MDB_NOTFOUND) {
        return false;
    }
    check(code, "get");
    visit_value(&name, &value, visit, visit_context);
    return true;
}

static void put_blob(void *context, uint64_t index, const uint8_t *bytes, size_t size) {
    Session *session = context;
    uint8_t name[KEY_SIZE];
    sequential_key(index, name);
    MDB_val key = {KEY_SIZE, name};
    MDB_val value = {size, (void *)bytes};
    MDB_txn *transaction;
    check(mdb_txn_begin(session->store->environment, NULL, 0, &transaction), "begin");
    check(mdb_put(transaction, session->store->table, &key, &value, 0), "put a blob");
    check(mdb_txn_commit(transaction), "commit a blob");
}

static uint64_t read_blob(void *context, uint64_t index) {
    Session *session = context;
    uint8_t name[KEY_SIZE];
    sequential_key(index, name);
    MDB_val key = {KEY_SIZE, name};
    MDB_val value;
    begin_reads(session);
    check(mdb_get(session->reader, session->store->table, &key, &value), "get a blob");
    uint64_t hash = blob_hash(index, value.mv_data, value.mv_size);
    end_reads(session);
    return hash;
}

int main(int argc, char **argv) {
    static const Peer peer = {
        .name = "lmdb",
        .own_flags = "",
        .version = version, .option = take_option, .open = open_store, .close = close_store, .describe = describe,
        .attach = attach, .detach = detach, .commit = commit, .scan = scan,
        .begin_reads = begin_reads, .end_reads = end_reads, .get = get, .put_blob = put_blob, .read_blob = read_blob,
    };
    return drive(&peer, argc, argv);
}
