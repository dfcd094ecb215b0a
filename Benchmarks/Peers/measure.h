// What is measured around a work: time, latency, memory, disk, flushes.
#ifndef MEASURE_H
#define MEASURE_H

#include "flushcount.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Prints "peer-<name>: <message>" and ends the process: a benchmark that met an error has no number to give.
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);
void set_program_name(const char *name);
void *allocate(size_t size);

double seconds_now(void);

// Sorts `nanoseconds` and returns the value below which `share` of them lie, in microseconds.
double latency_percentile(uint32_t *nanoseconds, size_t count, double share);

// Samples RssAnon + RssShmem every 5 ms on a thread of its own. VmHWM is reset at the start where the kernel allows.
typedef struct MemorySampler {
    pthread_t thread;
    _Atomic bool stopping;
    uint64_t peak_anon_kib;
    uint64_t peak_hwm_kib;
} MemorySampler;

void memory_sampler_start(MemorySampler *sampler);
void memory_sampler_stop(MemorySampler *sampler);

// Bytes of disk space held below `path` (blocks, not lengths: sparse and preallocated files count as they are).
uint64_t disk_bytes(const char *path);

// Writes back all files below `path` and takes them out of the page cache: the next reader finds the device cold.
void evict(const char *path);

// False when flushcount.so is not preloaded; `counts` is then zero.
bool flushes_so_far(FlushCounts *counts);

// Returns when the process has used less than 5 ms of CPU in 50 ms (the memory sampler uses some). The value is the moment
// this stillness began, so waiting for it costs the peer nothing.
// For peers that compact in the background and offer no way to ask whether they are done.
double seconds_when_quiet(void);

#endif
