// What a database shows to the works: the only thing a driver file implements.
//
// A function that fails ends the process through `fail`; none returns an error. A store is opened once, by the main thread. A
// session belongs to the thread that attached it and is used by no other.
// `commit` and `put_blob` return when the data is durable.
#ifndef PEER_H
#define PEER_H

#include "workload.h"

typedef struct Options {
    const char *work;
    const char *directory;
    uint64_t count;
    uint64_t batch;
    uint64_t threads;
    uint64_t size;
    uint64_t rows;
    uint64_t cache_mib;
    uint64_t queries;
    bool killed;
    Workload workload;
} Options;

// A group of posts by title.
typedef struct Group {
    char title[TITLE_CAPACITY];
    uint16_t title_length;
    double average;
} Group;

typedef void (*PostVisitor)(void *context, const Post *post);

typedef struct Peer {
    const char *name;
    const char *own_flags; // for the usage text
    const char *(*version)(void);
    // Takes an option of the peer's own. Returns how many arguments it used: 0 not known, 1 the flag, 2 with its value.
    int (*option)(const char *flag, const char *value);
    void *(*open)(const Options *options);
    void (*close)(void *store);
    // One sentence fragment with every setting that matters to speed or safety.
    void (*describe)(const Options *options, char *text, size_t capacity);

    void *(*attach)(void *store);
    void (*detach)(void *session);

    void (*commit)(void *session, const Post *posts, size_t count);
    // Finishes what commits left to do later: checkpoint, memtable flush, compactions that are due. NULL when there is nothing.
    // Returns the moment it was done.
    double (*settle)(void *store);

    // Visits every post, in whatever order this peer reads fastest.
    void (*scan)(void *session, PostVisitor visit, void *context);
    // Around many `get`: the peer may hold one snapshot. NULL when it has no use for it.
    void (*begin_reads)(void *session);
    void (*end_reads)(void *session);
    // False when the key is not there. NULL when the peer cannot look up by key.
    bool (*get)(void *session, const uint8_t key[KEY_SIZE], PostVisitor visit, void *context);

    // Queries that only SQL has; NULL in a key-value store.
    uint64_t (*count_above)(void *session, int64_t views);
    // Average views by title, of the posts with more views than a number. Returns how many groups; at most `capacity`.
    size_t (*average_by_title)(void *session, int64_t views, Group *groups, size_t capacity);
    // Gives all posts with fewer views than `below` the number `views`, in one durable transaction. Returns how many.
    uint64_t (*set_views)(void *session, int64_t below, int64_t views);
    // Makes the changes of `remote` on a copy of the store, and keeps them for apply_changes. NULL when there is no such thing.
    void (*make_changes)(const Options *options);
    // Applies them and notes how long each batch took. Returns how many durable transactions that took.
    size_t (*apply_changes)(void *session, const Options *options, uint32_t *latencies);

    void (*put_blob)(void *session, uint64_t index, const uint8_t *bytes, size_t size);
    // Reads every byte and returns their blob_hash (streamed where the peer hands out pieces).
    uint64_t (*read_blob)(void *session, uint64_t index);
} Peer;

// Reads the command line, runs the work, prints the line of JSON. Returns the exit status.
int drive(const Peer *peer, int argc, char **argv);

#endif
