// Counts of the calls that ask the device to keep data, since the process started. flushcount.so is preloaded to take them.
#ifndef FLUSHCOUNT_H
#define FLUSHCOUNT_H

#include <stdint.h>

typedef struct FlushCounts {
    uint64_t fsync;
    uint64_t fdatasync;
    uint64_t msync;           // with MS_SYNC only; MS_ASYNC waits for nothing
    uint64_t dsync_writes;    // writes to a file opened with O_DSYNC or O_SYNC: each is a write and a flush (LMDB's meta page)
    uint64_t sync_file_range; // starts or awaits writing but never flushes the device's cache: not a flush, shown beside
} FlushCounts;

// Found with dlsym by the drivers, so that they also run without the preload.
void flushcount_read(FlushCounts *counts);

#endif
