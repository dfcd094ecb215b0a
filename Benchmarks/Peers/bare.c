// No database: what the file system gives to a program that only appends, or only writes whole blobs.
//
// posts.log holds posts as key and value bytes, one after another; in `single` and `concurrent` each starts a 4 KiB block of
// its own and is written as a whole block, so that a flush never rewrites a block that was acknowledged. `next` is the only
// shared state.
// Blob i is the file blob-<i>, complete whenever that name exists.
#include "measure.h"
#include "peer.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { block_size = 4096, piece_size = 512 * 1024, record_capacity = KEY_SIZE + VALUE_CAPACITY };

static bool extend;

typedef struct Store {
    const char *directory;
    int directory_fd;
    int log;
    bool blocks;
    _Atomic uint64_t next;
} Store;

typedef struct Session {
    Store *store;
    uint8_t *buffer;
    size_t capacity;
} Session;

static const char *version(void) {
    return "1";
}

static int take_option(const char *flag, const char *value) {
    (void)value;
    return strcmp(flag, "--extend") == 0 ? (extend = true) : 0;
}

static bool uses_blocks(const Options *options) {
    return strcmp(options->work, "single") == 0 || strcmp(options->work, "concurrent") == 0;
}

static void describe(const Options *options, char *text, size_t capacity) {
    const char *what = "append + fdatasync per batch, extending";
    if (strcmp(options->work, "blob") == 0) {
        what = "one file per blob: 512 KiB writes, fdatasync, rename, directory fsync";
    } else if (uses_blocks(options)) {
        what = extend ? "4 KiB pwrite + fdatasync, extending"
                      : "4 KiB pwrite + fdatasync on space zeroed and synced beforehand";
    }
    snprintf(text, capacity, "%s; no index, no checksums", what);
}

static void write_all(int fd, const uint8_t *bytes, size_t size, uint64_t offset) {
    for (size_t done = 0; done < size;) {
        ssize_t written = pwrite(fd, bytes + done, size - done, (off_t)(offset + done));
        if (written < 0) {
            fail("write of %zu bytes at %" PRIu64 ": %s", size, offset + done, strerror(errno));
        }
        done += (size_t)written;
    }
}

static size_t read_all(int fd, uint8_t *bytes, size_t size, uint64_t offset) {
    size_t done = 0;
    while (done < size) {
        ssize_t got = pread(fd, bytes + done, size - done, (off_t)(offset + done));
        if (got < 0) {
            fail("read of %zu bytes at %" PRIu64 ": %s", size, offset + done, strerror(errno));
        }
        if (got == 0) {
            break;
        }
        done += (size_t)got;
    }
    return done;
}

static void flush(int fd, int (*call)(int), const char *what) {
    if (call(fd) != 0) {
        fail("%s: %s", what, strerror(errno));
    }
}

static void write_zeros(int fd, uint64_t size) {
    uint8_t *zeros = allocate(piece_size);
    memset(zeros, 0, piece_size);
    for (uint64_t at = 0; at < size; at += piece_size) {
        write_all(fd, zeros, size - at < piece_size ? size - at : piece_size, at);
    }
    free(zeros);
    flush(fd, fsync, "sync the zeroed space");
}

static void *open_store(const Options *options) {
    Store *store = allocate(sizeof *store);
    *store = (Store){.directory = options->directory, .blocks = uses_blocks(options)};
    store->directory_fd = open(options->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    store->log = openat(store->directory_fd, "posts.log", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    struct stat status;
    if (store->directory_fd < 0 || store->log < 0 || fstat(store->log, &status) != 0) {
        fail("open %s/posts.log: %s", options->directory, strerror(errno));
    }
    atomic_store(&store->next, (uint64_t)status.st_size);
    if (store->blocks && !extend) {
        write_zeros(store->log, options->count * block_size);
    }
    flush(store->directory_fd, fsync, "sync the directory");
    return store;
}

static void close_store(void *context) {
    Store *store = context;
    close(store->log);
    close(store->directory_fd);
    free(store);
}

static void *attach(void *store) {
    Session *session = allocate(sizeof *session);
    *session = (Session){store, allocate(piece_size), piece_size};
    memset(session->buffer, 0, piece_size);
    return session;
}

static void detach(void *context) {
    Session *session = context;
    free(session->buffer);
    free(session);
}

static void commit(void *context, const Post *posts, size_t count) {
    Session *session = context;
    if (count * record_capacity > session->capacity) {
        free(session->buffer);
        session->capacity = count * record_capacity;
        session->buffer = allocate(session->capacity);
    }
    size_t size = 0;
    for (size_t at = 0; at < count; at++) {
        memcpy(session->buffer + size, posts[at].key, KEY_SIZE);
        size += KEY_SIZE + post_encode(&posts[at], session->buffer + size + KEY_SIZE);
    }
    if (session->store->blocks) {
        memset(session->buffer + size, 0, block_size - size);
        size = block_size;
    }
    uint64_t offset = atomic_fetch_add(&session->store->next, size);
    write_all(session->store->log, session->buffer, size, offset);
    flush(session->store->log, fdatasync, "fdatasync of posts.log");
}

static void scan(void *context, PostVisitor visit, void *visit_context) {
    Session *session = context;
    uint64_t end = atomic_load(&session->store->next);
    for (uint64_t offset = 0; offset < end;) {
        uint64_t left = end - offset;
        size_t held = read_all(session->store->log, session->buffer, left < piece_size ? left : piece_size, offset);
        size_t used = 0;
        while (used + KEY_SIZE + VALUE_HEADER_SIZE <= held) {
            const uint8_t *value = session->buffer + used + KEY_SIZE;
            size_t size = KEY_SIZE + post_encoded_size(value);
            if (used + size > held) {
                break;
            }
            Post post;
            if (!post_decode(session->buffer + used, value, size - KEY_SIZE, &post)) {
                fail("posts.log holds no post at byte %" PRIu64, offset + used);
            }
            visit(visit_context, &post);
            used += session->store->blocks ? (size_t)block_size : size;
        }
        if (used == 0) {
            fail("posts.log ends inside a post at byte %" PRIu64, offset);
        }
        offset += used;
    }
}

static void put_blob(void *context, uint64_t index, const uint8_t *bytes, size_t size) {
    Session *session = context;
    int directory = session->store->directory_fd;
    char name[32], partial[40];
    snprintf(name, sizeof name, "blob-%" PRIu64, index);
    snprintf(partial, sizeof partial, "%s.partial", name);
    int fd = openat(directory, partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) {
        fail("create %s/%s: %s", session->store->directory, partial, strerror(errno));
    }
    for (size_t at = 0; at < size; at += piece_size) {
        write_all(fd, bytes + at, size - at < piece_size ? size - at : piece_size, at);
    }
    flush(fd, fdatasync, "fdatasync of a blob");
    close(fd);
    if (renameat(directory, partial, directory, name) != 0) {
        fail("rename %s to %s: %s", partial, name, strerror(errno));
    }
    flush(directory, fsync, "fsync of the directory");
}

static uint64_t read_blob(void *context, uint64_t index) {
    Session *session = context;
    char name[32];
    snprintf(name, sizeof name, "blob-%" PRIu64, index);
    int fd = openat(session->store->directory_fd, name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        fail("open %s/%s: %s", session->store->directory, name, strerror(errno));
    }
    XXH3_state_t state;
    XXH3_64bits_reset_withSeed(&state, index);
    uint64_t offset = 0;
    for (size_t got; (got = read_all(fd, session->buffer, piece_size, offset)) > 0; offset += got) {
        XXH3_64bits_update(&state, session->buffer, got);
    }
    close(fd);
    return XXH3_64bits_digest(&state);
}

int main(int argc, char **argv) {
    static const Peer peer = {
        .name = "bare",
        .own_flags = "  --extend   single, concurrent: grow the file in place of writing into zeroed space\n"
                     "       peer-bare vectors: values to check another generator of the same data against\n",
        .version = version, .option = take_option, .open = open_store, .close = close_store, .describe = describe,
        .attach = attach, .detach = detach, .commit = commit, .scan = scan, .put_blob = put_blob, .read_blob = read_blob,
    };
    if (argc == 2 && strcmp(argv[1], "vectors") == 0) {
        workload_print_vectors();
        return 0;
    }
    return drive(&peer, argc, argv);
}
