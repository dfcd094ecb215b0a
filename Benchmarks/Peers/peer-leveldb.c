// LevelDB through its C interface. The handle may be used by all threads; a session only owns its write batch.
#include "measure.h"
#include "peer.h"

#include <leveldb/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Store {
    leveldb_t *db;
    leveldb_options_t *options;
    leveldb_cache_t *cache;
    leveldb_filterpolicy_t *bloom;
    leveldb_writeoptions_t *durable;
    leveldb_readoptions_t *reads;
} Store;

typedef struct Session {
    Store *store;
    leveldb_writebatch_t *batch;
} Session;

static void check(char *error, const char *doing) {
    if (error != NULL) {
        fail("%s: %s", doing, error);
    }
}

static const char *version(void) {
    static char text[32];
    snprintf(text, sizeof text, "%d.%d", leveldb_major_version(), leveldb_minor_version());
    return text;
}

static int take_option(const char *flag, const char *value) {
    (void)flag;
    (void)value;
    return 0;
}

static void describe(const Options *options, char *text, size_t capacity) {
    snprintf(text, capacity,
             "log sync=true, Snappy, verify_checksums, paranoid_checks, bloom 10 bits, block cache %d MiB, memtable 64 MiB, "
             "one background thread",
             (int)options->cache_mib);
}

static void *open_store(const Options *options) {
    Store *store = allocate(sizeof *store);
    store->options = leveldb_options_create();
    store->cache = leveldb_cache_create_lru(options->cache_mib << 20);
    store->bloom = leveldb_filterpolicy_create_bloom(10);
    leveldb_options_set_create_if_missing(store->options, 1);
    leveldb_options_set_compression(store->options, leveldb_snappy_compression);
    leveldb_options_set_paranoid_checks(store->options, 1);
    leveldb_options_set_write_buffer_size(store->options, 64 << 20);
    leveldb_options_set_cache(store->options, store->cache);
    leveldb_options_set_filter_policy(store->options, store->bloom);
    store->durable = leveldb_writeoptions_create();
    leveldb_writeoptions_set_sync(store->durable, 1);
    store->reads = leveldb_readoptions_create();
    leveldb_readoptions_set_verify_checksums(store->reads, 1);
    char *error = NULL;
    store->db = leveldb_open(store->options, options->directory, &error);
    check(error, "open");
    return store;
}

static void close_store(void *context) {
    Store *store = context;
    leveldb_close(store->db);
    leveldb_readoptions_destroy(store->reads);
    leveldb_writeoptions_destroy(store->durable);
    leveldb_options_destroy(store->options);
    leveldb_filterpolicy_destroy(store->bloom);
    leveldb_cache_destroy(store->cache);
    free(store);
}

static void *attach(void *store) {
    Session *session = allocate(sizeof *session);
    *session = (Session){store, leveldb_writebatch_create()};
    return session;
}

static void detach(void *context) {
    Session *session = context;
    leveldb_writebatch_destroy(session->batch);
    free(session);
}

static void commit(void *context, const Post *posts, size_t count) {
    Session *session = context;
    leveldb_writebatch_clear(session->batch);
    for (size_t at = 0; at < count; at++) {
        uint8_t value[VALUE_CAPACITY];
        size_t size = post_encode(&posts[at], value);
        leveldb_writebatch_put(session->batch, (const char *)posts[at].key, KEY_SIZE, (const char *)value, size);
    }
    char *error = NULL;
    leveldb_write(session->store->db, session->store->durable, session->batch, &error);
    check(error, "write");
}

// Compacting a range above every key writes the memtable out and finds nothing else to do: LevelDB has no plain flush. The
// compactions that are due then run in the background, and there is no property that says so.
static double settle(void *context) {
    Store *store = context;
    char above[KEY_SIZE + 1];
    memset(above, 0xFF, sizeof above);
    leveldb_compact_range(store->db, above, sizeof above, above, sizeof above);
    return seconds_when_quiet();
}

static void visit_value(const char *key, const char *value, size_t size, PostVisitor visit, void *context) {
    Post post;
    if (!post_decode((const uint8_t *)key, (const uint8_t *)value, size, &post)) {
        fail("a stored value of %zu bytes is not a post", size);
    }
    visit(context, &post);
}

static void scan(void *context, PostVisitor visit, void *visit_context) {
    Session *session = context;
    leveldb_iterator_t *iterator = leveldb_create_iterator(session->store->db, session->store->reads);
    for (leveldb_iter_seek_to_first(iterator); leveldb_iter_valid(iterator); leveldb_iter_next(iterator)) {
        size_t key_size, size;
        const char *key = leveldb_iter_key(iterator, &key_size);
        const char *value = leveldb_iter_value(iterator, &size);
        visit_value(key, value, size, visit, visit_context);
    }
    char *error = NULL;
    leveldb_iter_get_error(iterator, &error);
    check(error, "scan");
    leveldb_iter_destroy(iterator);
}

static char *get_bytes(Session *session, const uint8_t *key, size_t *size) {
    char *error = NULL;
    char *value = leveldb_get(session->store->db, session->store->reads, (const char *)key, KEY_SIZE, size, &error);
    check(error, "get");
    return value;
}

static bool get(void *session, const uint8_t key[KEY_SIZE], PostVisitor visit, void *context) {
    size_t size;
    char *value = get_bytes(session, key, &size);
    if (value == NULL) {
        return false;
    }
    visit_value((const char *)key, value, size, visit, context);
    leveldb_free(value);
    return true;
}

static void put_blob(void *context, uint64_t index, const uint8_t *bytes, size_t size) {
    Session *session = context;
    uint8_t key[KEY_SIZE];
    sequential_key(index, key);
    char *error = NULL;
    leveldb_put(session->store->db, session->store->durable, (const char *)key, KEY_SIZE, (const char *)bytes, size, &error);
    check(error, "put a blob");
}

static uint64_t read_blob(void *context, uint64_t index) {
    uint8_t key[KEY_SIZE];
    sequential_key(index, key);
    size_t size;
    char *value = get_bytes(context, key, &size);
    if (value == NULL) {
        fail("blob %d was stored but is not found", (int)index);
    }
    uint64_t hash = blob_hash(index, (const uint8_t *)value, size);
    leveldb_free(value);
    return hash;
}

int main(int argc, char **argv) {
    static const Peer peer = {
        .name = "leveldb",
        .own_flags = "",
        .version = version, .option = take_option, .open = open_store, .close = close_store, .describe = describe,
        .attach = attach, .detach = detach, .commit = commit, .settle = settle, .scan = scan, .get = get,
        .put_blob = put_blob, .read_blob = read_blob,
    };
    return drive(&peer, argc, argv);
}
