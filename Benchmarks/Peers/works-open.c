// Opening a store up to the first post read by its key: after a clean end, or after the writer was killed.
#include "works.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { openings = 5, writing_microseconds = 60000 };

// Commits batches of posts from `first` on until it is killed; `acknowledged` says up to which post.
__attribute__((noreturn)) static void write_on(const Peer *peer, const Options *options, uint64_t first,
                                               _Atomic uint64_t *acknowledged) {
    void *store = peer->open(options);
    void *session = peer->attach(store);
    Result ignored = {.latencies = latencies_of(1)};
    for (;; first += options->batch) {
        ignored.commits = 0;
        commit_range(peer, session, options, first, first + options->batch, &ignored);
        atomic_store(acknowledged, first + options->batch);
    }
}

// Lets a process write for a while from post `first` on and kills it. Returns the post up to which it had been acknowledged.
static uint64_t write_and_kill(const Peer *peer, const Options *options, uint64_t first, useconds_t microseconds) {
    _Atomic uint64_t *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        fail("no shared memory: %s", strerror(errno));
    }
    pid_t child = fork();
    if (child < 0) {
        fail("cannot start the writing process: %s", strerror(errno));
    }
    if (child == 0) {
        write_on(peer, options, first, shared);
    }
    int status = 0;
    while (atomic_load(shared) == 0) {
        if (waitpid(child, &status, WNOHANG) != 0) {
            fail("the writing process ended before it was killed (status %d)", status);
        }
        usleep(200);
    }
    usleep(microseconds);
    kill(child, SIGKILL);
    if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status)) {
        fail("the writing process was not killed (status %d)", status);
    }
    uint64_t acknowledged = atomic_load(shared);
    munmap((void *)shared, sizeof *shared);
    return acknowledged;
}

static uint64_t stored_posts(const Peer *peer, void *session) {
    Sums sums = {0};
    peer->scan(session, add_touch, &sums);
    return sums.posts;
}

// What is stored without posts `rows` up to `posts`, which must all be there.
static void hash_first(const Peer *peer, void *session, const Options *options, uint64_t posts, Result *result) {
    hash_posts(peer, session, posts, result);
    for (uint64_t index = options->rows; index < posts; index++) {
        PostBytes bytes;
        Post post;
        post_generate(&options->workload, index, &bytes, &post);
        result->hash -= post_hash(&post);
    }
}

Result work_open(const Peer *peer, const Options *options) {
    if (peer->get == NULL) {
        fail("cannot read by key; `open` is for peers with an index");
    }
    load(peer, options);
    Result result = {.operations = openings, .commits_nothing = true, .latencies = latencies_of(openings)};
    uint64_t state = read_order_start(&options->workload);
    uint64_t posts = options->rows;
    Sums sums = {0};
    double sum = 0;
    peer->close(peer->open(options)); // the first time finds the program itself cold
    Meter meter = meter_start(&result);
    for (useconds_t number = 0; number < openings; number++) {
        uint64_t acknowledged =
            options->killed ? write_and_kill(peer, options, posts, (number + 1) * writing_microseconds) : posts;
        uint8_t key[KEY_SIZE];
        post_key(&options->workload, read_order_next(&state, options->rows), key);
        double start = seconds_now();
        void *store = peer->open(options);
        void *session = peer->attach(store);
        if (peer->begin_reads != NULL) {
            peer->begin_reads(session);
        }
        bool found = peer->get(session, key, add_touch, &sums);
        if (peer->end_reads != NULL) {
            peer->end_reads(session);
        }
        double seconds = seconds_now() - start;
        if (!found) {
            fail("a post that was stored is not found by its key");
        }
        result.latencies[result.commits++] = nanoseconds_between(0, seconds);
        sum += seconds;
        posts = options->killed ? stored_posts(peer, session) : posts;
        if (posts < acknowledged) {
            fail("%" PRIu64 " posts were acknowledged but %" PRIu64 " are there", acknowledged, posts);
        }
        peer->detach(session);
        peer->close(store);
    }
    meter_stop_at(&meter, &result, options, meter.start + sum);
    result.touch = sums.value;
    void *store = peer->open(options);
    void *session = peer->attach(store);
    hash_first(peer, session, options, posts, &result);
    peer->detach(session);
    peer->close(store);
    return result;
}
