// The works themselves, the same code for every peer.
#ifndef WORKS_H
#define WORKS_H

#include "measure.h"
#include "peer.h"

typedef struct Result {
    uint64_t operations;    // posts, reads or blobs
    uint64_t logical_bytes; // keys and values, or blob bytes
    double seconds;         // the peer's own time: generating data is taken out (except in `concurrent`), settling is in
    double generate_seconds;
    double settle_seconds;
    uint32_t *latencies; // nanoseconds of each commit; NULL for works that only read
    size_t commits;
    double read_seconds; // blob only
    uint64_t touch;      // replay and point only
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

#endif
