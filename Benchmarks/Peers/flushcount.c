// Preloaded into a driver, counts flushes on their way to libc.
//
// Always true: every interposed call is passed on with its own arguments and errno untouched; counters only grow; a
// descriptor's entry in `kinds` is unknown, or what fcntl said since that number was last closed. Any thread may be in any
// function at any time. At exit the totals go to the file named by FLUSHCOUNT_FILE, when it is set.
#include "flushcount.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { tracked_descriptors = 65536 };
enum Kind { kind_unknown, kind_plain, kind_dsync };

static _Atomic uint64_t fsyncs, fdatasyncs, msyncs, dsync_writes, range_syncs;
static _Atomic unsigned char kinds[tracked_descriptors];

#define NEXT(name) \
    static _Atomic(__typeof__(&name)) next; \
    __typeof__(&name) call = atomic_load_explicit(&next, memory_order_relaxed); \
    if (call == NULL) { \
        call = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        atomic_store_explicit(&next, call, memory_order_relaxed); \
    }

static void count(_Atomic uint64_t *counter) {
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

static void count_write(int fd) {
    if (fd < 0 || fd >= tracked_descriptors) {
        return;
    }
    unsigned char kind = atomic_load_explicit(&kinds[fd], memory_order_relaxed);
    if (kind == kind_unknown) {
        int kept = errno;
        int flags = fcntl(fd, F_GETFL);
        errno = kept;
        kind = flags != -1 && (flags & O_DSYNC) != 0 ? kind_dsync : kind_plain;
        atomic_store_explicit(&kinds[fd], kind, memory_order_relaxed);
    }
    if (kind == kind_dsync) {
        count(&dsync_writes);
    }
}

int fsync(int fd) {
    NEXT(fsync)
    count(&fsyncs);
    return call(fd);
}

int fdatasync(int fd) {
    NEXT(fdatasync)
    count(&fdatasyncs);
    return call(fd);
}

int msync(void *address, size_t length, int flags) {
    NEXT(msync)
    if ((flags & MS_SYNC) != 0) {
        count(&msyncs);
    }
    return call(address, length, flags);
}

int sync_file_range(int fd, off64_t offset, off64_t length, unsigned flags) {
    NEXT(sync_file_range)
    count(&range_syncs);
    return call(fd, offset, length, flags);
}

int close(int fd) {
    NEXT(close)
    if (fd >= 0 && fd < tracked_descriptors) {
        atomic_store_explicit(&kinds[fd], kind_unknown, memory_order_relaxed);
    }
    return call(fd);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    NEXT(write)
    count_write(fd);
    return call(fd, bytes, length);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
    NEXT(pwrite)
    count_write(fd);
    return call(fd, bytes, length, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
    NEXT(pwrite64)
    count_write(fd);
    return call(fd, bytes, length, offset);
}

ssize_t writev(int fd, const struct iovec *pieces, int number) {
    NEXT(writev)
    count_write(fd);
    return call(fd, pieces, number);
}

ssize_t pwritev(int fd, const struct iovec *pieces, int number, off_t offset) {
    NEXT(pwritev)
    count_write(fd);
    return call(fd, pieces, number, offset);
}

ssize_t pwritev64(int fd, const struct iovec *pieces, int number, off64_t offset) {
    NEXT(pwritev64)
    count_write(fd);
    return call(fd, pieces, number, offset);
}

void flushcount_read(FlushCounts *counts) {
    counts->fsync = atomic_load(&fsyncs);
    counts->fdatasync = atomic_load(&fdatasyncs);
    counts->msync = atomic_load(&msyncs);
    counts->dsync_writes = atomic_load(&dsync_writes);
    counts->sync_file_range = atomic_load(&range_syncs);
}

__attribute__((destructor)) static void write_totals(void) {
    const char *path = getenv("FLUSHCOUNT_FILE");
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL) {
        if (path != NULL) {
            fprintf(stderr, "flushcount: cannot write the totals to %s\n", path);
        }
        return;
    }
    FlushCounts counts;
    flushcount_read(&counts);
    fprintf(file, "fsync %" PRIu64 "\nfdatasync %" PRIu64 "\n", counts.fsync, counts.fdatasync);
    fprintf(file, "msync %" PRIu64 "\ndsyncWrites %" PRIu64 "\n", counts.msync, counts.dsync_writes);
    fprintf(file, "syncFileRange %" PRIu64 "\n", counts.sync_file_range);
    fclose(file);
}
