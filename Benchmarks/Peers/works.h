// The works themselves, the same code for every peer.
#ifndef WORKS_H
#define WORKS_H

#include "measure.h"
#include "peer.h"

typedef struct Result {
    uint64_t operations;    // posts, reads, queries, changes, openings or blobs
    uint64_t logical_bytes; // keys and values, or blob bytes
    double seconds;         // the peer's own time: generating data is taken out (except in `concurrent`), settling is in
    double generate_seconds;
    double settle_seconds;
    uint32_t *latencies; // nanoseconds of each commit, query or opening; NULL for works that measure none
    size_t commits;      // how many of them
    bool commits_nothing; // they were queries or openings: no flush is owed for them
    double read_seconds; // blob only
    uint64_t touch;      // what was read or changed came to this
    uint64_t disk_bytes;
    MemorySampler memory;
    bool flushes_known;
    FlushCounts flushes;
    uint64_t hash;
} Result;

typedef Result (*Work)(const Peer *peer, const Options *options);

Result work_commits(const Peer *peer, const Options *options);    // bulk; single is a batch of one
Result work_concurrent(const Peer *peer, const Options *options);
Result work_replay(const Peer *peer, const Options *options);
Result work_point(const Peer *peer, const Options *options);
Result work_blob(const Peer *peer, const Options *options);
Result work_count(const Peer *peer, const Options *options);
Result work_group(const Peer *peer, const Options *options);
Result work_update(const Peer *peer, const Options *options);
Result work_remote(const Peer *peer, const Options *options);
Result work_open(const Peer *peer, const Options *options); // with --killed after a SIGKILL each time

// What works are made of.

typedef struct Meter {
    FlushCounts before;
    double start;
} Meter;

// Starts the clock, once what earlier runs left to the file system is written.
Meter meter_start(Result *result);
// Stops the clock at `end`, a moment of seconds_now.
void meter_stop_at(const Meter *meter, Result *result, const Options *options, double end);
// Settles, if this work writes, and stops the clock.
void meter_stop(const Meter *meter, Result *result, const Peer *peer, void *store, const Options *options, bool settles);

typedef struct Sums {
    uint64_t posts;
    uint64_t bytes;
    uint64_t value;
} Sums;

// Visitors whose context is Sums.
void add_hash(void *sums, const Post *post);
void add_touch(void *sums, const Post *post);

// Notes what is really stored, after the clock; fails unless `expected` posts are there.
void hash_posts(const Peer *peer, void *session, uint64_t expected, Result *result);

uint32_t *latencies_of(uint64_t count);
uint32_t nanoseconds_between(double start, double end);

// Runs `body` in a process of its own, so that neither memory nor caches of it are left in this one; fails when it fails.
void in_child(const Peer *peer, const Options *options, void (*body)(const Peer *peer, const Options *options));
// Stores the first `rows` posts, in a process of its own.
void load(const Peer *peer, const Options *options);
// Commits posts `first` up to `end` in batches.
void commit_range(const Peer *peer, void *session, const Options *options, uint64_t first, uint64_t end, Result *result);

#endif
