// RocksDB through its C interface. The handle may be used by all threads; a session only owns its write batch and value buffer.
#include "measure.h"
#include "peer.h"

#include <rocksdb/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    bool recycle_wal;
    bool pipelined;
    bool no_blob_files;
} flags;

typedef struct Store {
    rocksdb_t *db;
    rocksdb_options_t *options;
    rocksdb_writeoptions_t *durable;
    rocksdb_readoptions_t *reads;
} Store;

typedef struct Session {
    Store *store;
    rocksdb_writebatch_t *batch;
} Session;

static void check(char *error, const char *doing) {
    if (error != NULL) {
        fail("%s: %s", doing, error);
    }
}

static const char *version(void) {
    return ROCKSDB_VERSION;
}

static int take_option(const char *flag, const char *value) {
    (void)value;
    if (strcmp(flag, "--recycle-wal") == 0) {
        return flags.recycle_wal = true;
    }
    if (strcmp(flag, "--pipelined") == 0) {
        return flags.pipelined = true;
    }
    if (strcmp(flag, "--no-blob-files") == 0) {
        return flags.no_blob_files = true;
    }
    return 0;
}

static bool wants_blob_files(const Options *options) {
    return strcmp(options->work, "blob") == 0 && !flags.no_blob_files;
}

static void describe(const Options *options, char *text, size_t capacity) {
    snprintf(text, capacity,
             "WAL sync=true, LZ4, XXH3 block checksums verified, bloom 10 bits, block cache %d MiB, memtable 64 MiB, "
             "2 background jobs%s%s%s",
             (int)options->cache_mib, flags.recycle_wal ? ", WAL files recycled" : "",
             flags.pipelined ? ", pipelined writes" : "",
             wants_blob_files(options) ? ", BlobDB (uncompressed)" : "");
}

static void *open_store(const Options *options) {
    Store *store = allocate(sizeof *store);
    store->options = rocksdb_options_create();
    rocksdb_options_set_create_if_missing(store->options, 1);
    rocksdb_options_set_compression(store->options, rocksdb_lz4_compression);
    rocksdb_options_increase_parallelism(store->options, 2);
    rocksdb_options_set_paranoid_checks(store->options, 1);
    rocksdb_options_set_recycle_log_file_num(store->options, flags.recycle_wal ? 4 : 0);
    rocksdb_options_set_enable_pipelined_write(store->options, flags.pipelined);
    if (wants_blob_files(options)) {
        rocksdb_options_set_enable_blob_files(store->options, 1);
        rocksdb_options_set_min_blob_size(store->options, 4096);
        rocksdb_options_set_blob_compression_type(store->options, rocksdb_no_compression);
    }
    rocksdb_block_based_table_options_t *table = rocksdb_block_based_options_create();
    rocksdb_cache_t *cache = rocksdb_cache_create_lru(options->cache_mib << 20);
    rocksdb_block_based_options_set_block_cache(table, cache);
    rocksdb_block_based_options_set_filter_policy(table, rocksdb_filterpolicy_create_bloom_full(10));
    rocksdb_options_set_block_based_table_factory(store->options, table);
    rocksdb_cache_destroy(cache); // the table factory holds its own reference
    rocksdb_block_based_options_destroy(table);
    store->durable = rocksdb_writeoptions_create();
    rocksdb_writeoptions_set_sync(store->durable, 1);
    store->reads = rocksdb_readoptions_create();
    char *error = NULL;
    store->db = rocksdb_open(store->options, options->directory, &error);
    check(error, "open");
    return store;
}

static void close_store(void *context) {
    Store *store = context;
    rocksdb_close(store->db);
    rocksdb_readoptions_destroy(store->reads);
    rocksdb_writeoptions_destroy(store->durable);
    rocksdb_options_destroy(store->options);
    free(store);
}

static void *attach(void *store) {
    Session *session = allocate(sizeof *session);
    *session = (Session){store, rocksdb_writebatch_create()};
    return session;
}

static void detach(void *context) {
    Session *session = context;
    rocksdb_writebatch_destroy(session->batch);
    free(session);
}

static void commit(void *context, const Post *posts, size_t count) {
    Session *session = context;
    rocksdb_writebatch_clear(session->batch);
    for (size_t at = 0; at < count; at++) {
        uint8_t value[VALUE_CAPACITY];
        size_t size = post_encode(&posts[at], value);
        rocksdb_writebatch_put(session->batch, (const char *)posts[at].key, KEY_SIZE, (const char *)value, size);
    }
    char *error = NULL;
    rocksdb_write(session->store->db, session->store->durable, session->batch, &error);
    check(error, "write");
}

static bool is_busy(rocksdb_t *db) {
    static const char *const busy[] = {
        "rocksdb.compaction-pending",
        "rocksdb.num-running-compactions",
        "rocksdb.mem-table-flush-pending",
        "rocksdb.num-running-flushes",
    };
    for (size_t at = 0; at < sizeof busy / sizeof *busy; at++) {
        uint64_t value = 0;
        if (rocksdb_property_int(db, busy[at], &value) == 0 && value != 0) {
            return true;
        }
    }
    return false;
}

static double settle(void *context) {
    Store *store = context;
    rocksdb_flushoptions_t *flush = rocksdb_flushoptions_create();
    rocksdb_flushoptions_set_wait(flush, 1);
    char *error = NULL;
    rocksdb_flush(store->db, flush, &error);
    check(error, "flush");
    rocksdb_flushoptions_destroy(flush);
    while (is_busy(store->db)) {
        usleep(1000);
    }
    return seconds_now();
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
    rocksdb_iterator_t *iterator = rocksdb_create_iterator(session->store->db, session->store->reads);
    for (rocksdb_iter_seek_to_first(iterator); rocksdb_iter_valid(iterator); rocksdb_iter_next(iterator)) {
        size_t key_size, size;
        const char *key = rocksdb_iter_key(iterator, &key_size);
        const char *value = rocksdb_iter_value(iterator, &size);
        visit_value(key, value, size, visit, visit_context);
    }
    char *error = NULL;
    rocksdb_iter_get_error(iterator, &error);
    check(error, "scan");
    rocksdb_iter_destroy(iterator);
}

static rocksdb_pinnableslice_t *get_pinned(Session *session, const uint8_t *key) {
    char *error = NULL;
    rocksdb_pinnableslice_t *slice =
        rocksdb_get_pinned(session->store->db, session->store->reads, (const char *)key, KEY_SIZE, &error);
    check(error, "get");
    return slice;
}

static bool get(void *session, const uint8_t key[KEY_SIZE], PostVisitor visit, void *context) {
    rocksdb_pinnableslice_t *slice = get_pinned(session, key);
    if (slice == NULL) {
        return false;
    }
    size_t size;
    const char *value = rocksdb_pinnableslice_value(slice, &size);
    visit_value((const char *)key, value, size, visit, context);
    rocksdb_pinnableslice_destroy(slice);
    return true;
}

static void put_blob(void *context, uint64_t index, const uint8_t *bytes, size_t size) {
    Session *session = context;
    uint8_t key[KEY_SIZE];
    sequential_key(index, key);
    char *error = NULL;
    rocksdb_put(session->store->db, session->store->durable, (const char *)key, KEY_SIZE, (const char *)bytes, size, &error);
    check(error, "put a blob");
}

static uint64_t read_blob(void *context, uint64_t index) {
    uint8_t key[KEY_SIZE];
    sequential_key(index, key);
    rocksdb_pinnableslice_t *slice = get_pinned(context, key);
    if (slice == NULL) {
        fail("blob %d was stored but is not found", (int)index);
    }
    size_t size;
    const char *value = rocksdb_pinnableslice_value(slice, &size);
    uint64_t hash = blob_hash(index, (const uint8_t *)value, size);
    rocksdb_pinnableslice_destroy(slice);
    return hash;
}

int main(int argc, char **argv) {
    static const Peer peer = {
        .name = "rocksdb",
        .own_flags = "  --recycle-wal, --pipelined, --no-blob-files   RocksDB's own options\n",
        .version = version, .option = take_option, .open = open_store, .close = close_store, .describe = describe,
        .attach = attach, .detach = detach, .commit = commit, .settle = settle, .scan = scan, .get = get,
        .put_blob = put_blob, .read_blob = read_blob,
    };
    return drive(&peer, argc, argv);
}
