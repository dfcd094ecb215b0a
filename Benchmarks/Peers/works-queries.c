// Works of peers that answer queries: `count`, `group`, `update`, `remote`.
#include "works.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct Ready {
    void *store;
    void *session;
} Ready;

// A loaded store that every page of was looked at.
static Ready warm_store(const Peer *peer, const Options *options) {
    load(peer, options);
    Ready ready = {.store = peer->open(options)};
    ready.session = peer->attach(ready.store);
    Sums warm = {0};
    peer->scan(ready.session, add_touch, &warm);
    return ready;
}

// Notes what is stored in the end, and closes the store.
static void finish(const Peer *peer, const Options *options, const Ready *ready, Result *result) {
    hash_posts(peer, ready->session, options->rows, result);
    peer->detach(ready->session);
    peer->close(ready->store);
}

// `query` must answer another constant each time; what it gives is hashed outside of the time.
typedef uint64_t (*Query)(const Peer *peer, void *session, uint64_t *state, double *seconds);

static Result run_queries(const Peer *peer, const Options *options, Query query) {
    Ready ready = warm_store(peer, options);
    Result result = {.operations = options->queries, .commits_nothing = true, .latencies = latencies_of(options->queries)};
    uint64_t state = read_order_start(&options->workload);
    double sum = 0;
    Meter meter = meter_start(&result);
    for (uint64_t number = 0; number < options->queries; number++) {
        double seconds = 0;
        result.touch += query(peer, ready.session, &state, &seconds) * (number + 1);
        result.latencies[result.commits++] = nanoseconds_between(0, seconds);
        sum += seconds;
    }
    meter_stop_at(&meter, &result, options, meter.start + sum);
    finish(peer, options, &ready, &result);
    return result;
}

static uint64_t count(const Peer *peer, void *session, uint64_t *state, double *seconds) {
    int64_t views = (int64_t)read_order_next(state, VIEWS_END);
    double start = seconds_now();
    uint64_t posts = peer->count_above(session, views);
    *seconds = seconds_now() - start;
    return posts;
}

Result work_count(const Peer *peer, const Options *options) {
    if (peer->count_above == NULL) {
        fail("answers no queries; `count` is for peers with columns");
    }
    return run_queries(peer, options, count);
}

static uint64_t group(const Peer *peer, void *session, uint64_t *state, double *seconds) {
    enum { capacity = WORD_COUNT * WORD_COUNT };
    int64_t views = (int64_t)read_order_next(state, VIEWS_END >> 4);
    Group *groups = allocate(capacity * sizeof *groups);
    double start = seconds_now();
    size_t found = peer->average_by_title(session, views, groups, capacity);
    *seconds = seconds_now() - start;
    uint64_t hash = found;
    for (size_t at = 0; at < found; at++) {
        hash += XXH3_64bits_withSeed(groups[at].title, groups[at].title_length, (uint64_t)llround(groups[at].average * 1000));
    }
    free(groups);
    return hash;
}

Result work_group(const Peer *peer, const Options *options) {
    if (peer->average_by_title == NULL) {
        fail("answers no queries; `group` is for peers with columns");
    }
    return run_queries(peer, options, group);
}

Result work_update(const Peer *peer, const Options *options) {
    if (peer->set_views == NULL) {
        fail("answers no queries; `update` is for peers with columns");
    }
    Ready ready = warm_store(peer, options);
    Result result = {.commits = 1, .latencies = latencies_of(1)};
    Meter meter = meter_start(&result);
    result.operations = peer->set_views(ready.session, VIEWS_END / 2, VIEWS_END);
    result.latencies[0] = nanoseconds_between(meter.start, seconds_now());
    meter_stop(&meter, &result, peer, ready.store, options, true);
    result.touch = result.operations;
    finish(peer, options, &ready, &result);
    return result;
}

static void make_changes(const Peer *peer, const Options *options) {
    (void)peer;
    peer->make_changes(options);
}

Result work_remote(const Peer *peer, const Options *options) {
    if (peer->make_changes == NULL) {
        fail("applies no changes of others; `remote` is for peers with changesets");
    }
    load(peer, options);
    in_child(peer, options, make_changes);
    uint64_t batches = (options->count + options->batch - 1) / options->batch;
    Result result = {.operations = options->count, .commits = batches, .latencies = latencies_of(batches)};
    evict(options->directory);
    Ready ready = {.store = peer->open(options)};
    ready.session = peer->attach(ready.store);
    Meter meter = meter_start(&result);
    result.commits_nothing = peer->apply_changes(ready.session, options, result.latencies) < batches; // no flush for each
    meter_stop(&meter, &result, peer, ready.store, options, true);
    finish(peer, options, &ready, &result);
    return result;
}
