// The sampler's fields are written by its own thread until memory_sampler_stop has joined it; then the owner reads them.
#include "measure.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *program = "peer";

void set_program_name(const char *name) {
    program = name;
}

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "peer-%s: ", program);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    _exit(1);
}

void *allocate(size_t size) {
    void *bytes = malloc(size);
    if (bytes == NULL) {
        fail("no memory for %zu bytes", size);
    }
    return bytes;
}

static double clock_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double seconds_now(void) {
    return clock_seconds(CLOCK_MONOTONIC);
}

static int compare_u32(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

double latency_percentile(uint32_t *nanoseconds, size_t count, double share) {
    if (count == 0) {
        return 0;
    }
    qsort(nanoseconds, count, sizeof *nanoseconds, compare_u32);
    size_t at = (size_t)((double)count * share);
    return nanoseconds[at < count ? at : count - 1] / 1000.0;
}

static uint64_t status_kib(const char *status, const char *field) {
    const char *line = strstr(status, field);
    return line == NULL ? 0 : strtoull(line + strlen(field), NULL, 10);
}

static void sample(MemorySampler *sampler) {
    char status[8192];
    FILE *file = fopen("/proc/self/status", "r");
    if (file == NULL) {
        fail("cannot read /proc/self/status: %s", strerror(errno));
    }
    status[fread(status, 1, sizeof status - 1, file)] = 0;
    fclose(file);
    uint64_t anon = status_kib(status, "RssAnon:") + status_kib(status, "RssShmem:");
    sampler->peak_anon_kib = anon > sampler->peak_anon_kib ? anon : sampler->peak_anon_kib;
    sampler->peak_hwm_kib = status_kib(status, "VmHWM:");
}

static void *run_sampler(void *context) {
    MemorySampler *sampler = context;
    while (!atomic_load(&sampler->stopping)) {
        sample(sampler);
        usleep(5000);
    }
    sample(sampler);
    return NULL;
}

void memory_sampler_start(MemorySampler *sampler) {
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file != NULL) {
        fputs("5", file);
        fclose(file);
    }
    memset(sampler, 0, sizeof *sampler);
    if (pthread_create(&sampler->thread, NULL, run_sampler, sampler) != 0) {
        fail("cannot start the thread that samples memory");
    }
}

void memory_sampler_stop(MemorySampler *sampler) {
    atomic_store(&sampler->stopping, true);
    pthread_join(sampler->thread, NULL);
}

static uint64_t disk_sum; // nftw has no context; used by the main thread only

static int add_disk_bytes(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)path;
    (void)place;
    disk_sum += kind == FTW_F ? (uint64_t)status->st_blocks * 512 : 0;
    return 0;
}

uint64_t disk_bytes(const char *path) {
    disk_sum = 0;
    nftw(path, add_disk_bytes, 16, FTW_PHYS);
    return disk_sum;
}

static int evict_file(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)place;
    if (kind != FTW_F) {
        return 0;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fsync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0) {
        fail("cannot take %s out of the page cache", path);
    }
    close(fd);
    return 0;
}

void evict(const char *path) {
    nftw(path, evict_file, 16, FTW_PHYS);
}

bool flushes_so_far(FlushCounts *counts) {
    void (*read_counts)(FlushCounts *) = (void (*)(FlushCounts *))dlsym(RTLD_DEFAULT, "flushcount_read");
    memset(counts, 0, sizeof *counts);
    if (read_counts == NULL) {
        return false;
    }
    read_counts(counts);
    return true;
}

double seconds_when_quiet(void) {
    double since = seconds_now();
    double cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    while (seconds_now() - since < 0.05) {
        usleep(5000);
        double now = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
        if (now - cpu > 0.005) {
            since = seconds_now();
            cpu = now;
        }
    }
    return since;
}
