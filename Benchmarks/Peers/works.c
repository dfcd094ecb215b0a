// Each work: prepare, start the meter, work, settle, stop the meter, then hash what is stored. Nothing between start and stop
// of the meter belongs to the benchmark except making data (timed and taken out) and the memory sampler.
#include "works.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

Meter meter_start(Result *result) {
    Meter meter;
    sync(); // what earlier runs, deleted directories and loading left to the file system is not this peer's to pay for
    memory_sampler_start(&result->memory);
    result->flushes_known = flushes_so_far(&meter.before);
    meter.start = seconds_now();
    return meter;
}

void meter_stop(const Meter *meter, Result *result, const Peer *peer, void *store, const Options *options, bool settles) {
    double worked = seconds_now();
    double end = settles && peer->settle != NULL ? peer->settle(store) : worked;
    end = end < worked ? worked : end;
    result->settle_seconds = end - worked;
    meter_stop_at(meter, result, options, end);
}

void meter_stop_at(const Meter *meter, Result *result, const Options *options, double end) {
    result->seconds = end - meter->start - result->generate_seconds;
    FlushCounts after;
    flushes_so_far(&after);
    result->flushes.fsync = after.fsync - meter->before.fsync;
    result->flushes.fdatasync = after.fdatasync - meter->before.fdatasync;
    result->flushes.msync = after.msync - meter->before.msync;
    result->flushes.dsync_writes = after.dsync_writes - meter->before.dsync_writes;
    result->flushes.sync_file_range = after.sync_file_range - meter->before.sync_file_range;
    memory_sampler_stop(&result->memory);
    result->disk_bytes = disk_bytes(options->directory);
}

void add_hash(void *context, const Post *post) {
    Sums *sums = context;
    sums->posts++;
    sums->bytes += (uint64_t)KEY_SIZE + VALUE_HEADER_SIZE + post->title_length + post->content_length;
    sums->value += post_hash(post);
}

void add_touch(void *context, const Post *post) {
    Sums *sums = context;
    sums->posts++;
    sums->value += post_touch(post);
}

void hash_posts(const Peer *peer, void *session, uint64_t expected, Result *result) {
    Sums sums = {0};
    peer->scan(session, add_hash, &sums);
    if (sums.posts != expected) {
        fail("%" PRIu64 " posts were committed but %" PRIu64 " are there", expected, sums.posts);
    }
    result->hash = sums.value;
    result->logical_bytes = sums.bytes;
}

uint32_t nanoseconds_between(double start, double end) {
    double nanoseconds = (end - start) * 1e9;
    return nanoseconds > UINT32_MAX ? UINT32_MAX : (uint32_t)nanoseconds;
}

typedef struct Batch {
    PostBytes *bytes;
    Post *posts;
} Batch;

static Batch batch_of(uint64_t capacity) {
    return (Batch){allocate(capacity * sizeof(PostBytes)), allocate(capacity * sizeof(Post))};
}

static void batch_free(Batch *batch) {
    free(batch->bytes);
    free(batch->posts);
}

void commit_range(const Peer *peer, void *session, const Options *options, uint64_t first, uint64_t end, Result *result) {
    Batch batch = batch_of(options->batch);
    for (; first < end; first += options->batch) {
        uint64_t size = end - first < options->batch ? end - first : options->batch;
        double start = seconds_now();
        for (uint64_t at = 0; at < size; at++) {
            post_generate(&options->workload, first + at, &batch.bytes[at], &batch.posts[at]);
        }
        double made = seconds_now();
        peer->commit(session, batch.posts, size);
        result->latencies[result->commits++] = nanoseconds_between(made, seconds_now());
        result->generate_seconds += made - start;
    }
    batch_free(&batch);
}

uint32_t *latencies_of(uint64_t commits) {
    uint32_t *latencies = allocate(commits * sizeof *latencies);
    memset(latencies, 0, commits * sizeof *latencies); // so that its pages are counted before the clock starts
    return latencies;
}

Result work_commits(const Peer *peer, const Options *options) {
    Result result = {.operations = options->count};
    result.latencies = latencies_of((options->count + options->batch - 1) / options->batch);
    void *store = peer->open(options);
    void *session = peer->attach(store);
    Meter meter = meter_start(&result);
    commit_range(peer, session, options, 0, options->count, &result);
    meter_stop(&meter, &result, peer, store, options, true);
    hash_posts(peer, session, options->count, &result);
    peer->detach(session);
    peer->close(store);
    return result;
}

typedef struct Crowd {
    const Peer *peer;
    const Options *options;
    void *store;
    pthread_barrier_t ready;
    _Atomic uint64_t next;
    uint32_t *latencies;
} Crowd;

static void *run_member(void *context) {
    Crowd *crowd = context;
    void *session = crowd->peer->attach(crowd->store);
    pthread_barrier_wait(&crowd->ready);
    for (;;) {
        uint64_t index = atomic_fetch_add(&crowd->next, 1);
        if (index >= crowd->options->count) {
            break;
        }
        PostBytes bytes;
        Post post;
        post_generate(&crowd->options->workload, index, &bytes, &post);
        double start = seconds_now();
        crowd->peer->commit(session, &post, 1);
        crowd->latencies[index] = nanoseconds_between(start, seconds_now());
    }
    crowd->peer->detach(session);
    return NULL;
}

Result work_concurrent(const Peer *peer, const Options *options) {
    Result result = {.operations = options->count, .commits = options->count, .latencies = latencies_of(options->count)};
    Crowd crowd = {.peer = peer, .options = options, .latencies = result.latencies};
    crowd.store = peer->open(options);
    pthread_barrier_init(&crowd.ready, NULL, (unsigned)options->threads + 1);
    pthread_t *threads = allocate(options->threads * sizeof *threads);
    for (uint64_t thread = 0; thread < options->threads; thread++) {
        if (pthread_create(&threads[thread], NULL, run_member, &crowd) != 0) {
            fail("cannot start thread %" PRIu64 " of %" PRIu64, thread + 1, options->threads);
        }
    }
    Meter meter = meter_start(&result);
    pthread_barrier_wait(&crowd.ready);
    meter.start = seconds_now();
    for (uint64_t thread = 0; thread < options->threads; thread++) {
        pthread_join(threads[thread], NULL);
    }
    meter_stop(&meter, &result, peer, crowd.store, options, true);
    void *session = peer->attach(crowd.store);
    hash_posts(peer, session, options->count, &result);
    peer->detach(session);
    peer->close(crowd.store);
    free(threads);
    return result;
}

void in_child(const Peer *peer, const Options *options, void (*body)(const Peer *peer, const Options *options)) {
    pid_t child = fork();
    if (child < 0) {
        fail("cannot start another process: %s", strerror(errno));
    }
    if (child == 0) {
        body(peer, options);
        _exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) {
        fail("preparing %s with %" PRIu64 " posts failed (status %d)", options->directory, options->rows, status);
    }
}

static void load_here(const Peer *peer, const Options *options) {
    Options loading = *options;
    loading.batch = 1000;
    Result ignored = {.latencies = latencies_of(options->rows / loading.batch + 1)};
    void *store = peer->open(&loading);
    void *session = peer->attach(store);
    commit_range(peer, session, &loading, 0, options->rows, &ignored);
    if (peer->settle != NULL) {
        peer->settle(store);
    }
    peer->detach(session);
    peer->close(store);
}

void load(const Peer *peer, const Options *options) {
    in_child(peer, options, load_here);
}

Result work_replay(const Peer *peer, const Options *options) {
    load(peer, options);
    Result result = {.operations = options->rows};
    void *store = peer->open(options);
    void *session = peer->attach(store);
    Sums warm = {0};
    peer->scan(session, add_touch, &warm);
    Sums sums = {0};
    Meter meter = meter_start(&result);
    peer->scan(session, add_touch, &sums);
    meter_stop(&meter, &result, peer, store, options, false);
    result.touch = sums.value;
    hash_posts(peer, session, options->rows, &result);
    peer->detach(session);
    peer->close(store);
    return result;
}

Result work_point(const Peer *peer, const Options *options) {
    if (peer->get == NULL) {
        fail("cannot read by key; `point` is for peers with an index");
    }
    load(peer, options);
    Result result = {.operations = options->count};
    void *store = peer->open(options);
    void *session = peer->attach(store);
    Sums warm = {0};
    peer->scan(session, add_touch, &warm);
    Sums sums = {0};
    uint64_t state = read_order_start(&options->workload);
    Meter meter = meter_start(&result);
    if (peer->begin_reads != NULL) {
        peer->begin_reads(session);
    }
    for (uint64_t read = 0; read < options->count; read++) {
        uint64_t index = read_order_next(&state, options->rows);
        uint8_t key[KEY_SIZE];
        post_key(&options->workload, index, key);
        if (!peer->get(session, key, add_touch, &sums)) {
            fail("post %" PRIu64 " was stored but is not found by its key", index);
        }
    }
    if (peer->end_reads != NULL) {
        peer->end_reads(session);
    }
    meter_stop(&meter, &result, peer, store, options, false);
    result.touch = sums.value;
    hash_posts(peer, session, options->rows, &result);
    peer->detach(session);
    peer->close(store);
    return result;
}

Result work_blob(const Peer *peer, const Options *options) {
    Result result = {.operations = options->count, .commits = options->count, .latencies = latencies_of(options->count)};
    result.logical_bytes = options->count * options->size;
    uint8_t *bytes = allocate(options->size);
    void *store = peer->open(options);
    void *session = peer->attach(store);
    uint64_t expected = 0;
    Meter meter = meter_start(&result);
    for (uint64_t index = 0; index < options->count; index++) {
        double start = seconds_now();
        blob_generate(&options->workload, index, bytes, options->size);
        expected += blob_hash(index, bytes, options->size);
        double made = seconds_now();
        peer->put_blob(session, index, bytes, options->size);
        result.latencies[index] = nanoseconds_between(made, seconds_now());
        result.generate_seconds += made - start;
    }
    meter_stop(&meter, &result, peer, store, options, true);
    free(bytes);
    double start = seconds_now();
    for (uint64_t index = 0; index < options->count; index++) {
        result.hash += peer->read_blob(session, index);
    }
    result.read_seconds = seconds_now() - start;
    if (result.hash != expected) {
        fail("the blobs read back differ from the blobs written");
    }
    peer->detach(session);
    peer->close(store);
    return result;
}
