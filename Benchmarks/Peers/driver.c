// Command line in, one line of JSON out.
#include "peer.h"
#include "works.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Entry {
    const char *name;
    Work run;
    uint64_t count;
    uint64_t batch;
} Entry;

static const Entry works[] = {
    {"bulk", work_commits, 1000000, 1000}, {"single", work_commits, 20000, 1},     {"concurrent", work_concurrent, 200000, 1},
    {"replay", work_replay, 1000000, 1000}, {"point", work_point, 1000000, 1000}, {"blob", work_blob, 40, 1},
    {"count", work_count, 1000000, 1000},   {"group", work_group, 1000000, 1000}, {"update", work_update, 1000000, 1000},
    {"remote", work_remote, 100000, 1000},  {"open", work_open, 1000000, 1000},
};

static void print_usage(const Peer *peer) {
    fprintf(stderr,
            "usage: peer-%s WORK DIRECTORY [options]\n"
            "  WORK       bulk, single, concurrent, blob, replay, point, count, group, update, remote, open\n"
            "  DIRECTORY  made if missing, must be empty; what is stored stays there\n"
            "  --count N        posts, reads (point), changes (remote) or blobs\n"
            "  --batch N        posts per commit (bulk; 1000)        --queries N   count, group (11)   --killed  open\n"
            "  --rows N         posts stored before reading (count)  --threads N   committing threads (concurrent; 64)\n"
            "  --size N         bytes per blob (15728640)            --cache-mib N memory for the peer's own cache (64)\n"
            "  --seed N         of the data (1)                      --incompressible, --sequential: see workload.h\n"
            "%s",
            peer->name, peer->own_flags);
}

static uint64_t number(const char *flag, const char *text) {
    char *end = NULL;
    errno = 0;
    uint64_t value = text == NULL ? 0 : strtoull(text, &end, 10);
    if (text == NULL || *text < '0' || *text > '9' || *end != 0 || errno != 0) {
        fail("%s takes a whole number, not '%s'", flag, text == NULL ? "" : text);
    }
    return value;
}

static void read_options(const Peer *peer, int argc, char **argv, Options *options) {
    const struct {
        const char *flag;
        uint64_t *value;
        bool may_be_zero;
    } numbers[] = {
        {"--count", &options->count, false},     {"--batch", &options->batch, false}, {"--rows", &options->rows, true},
        {"--threads", &options->threads, false}, {"--size", &options->size, false}, {"--queries", &options->queries, false},
        {"--cache-mib", &options->cache_mib, false},
        {"--seed", &options->workload.seed, true},
    };
    for (int at = 3; at < argc;) {
        const char *flag = argv[at];
        const char *value = at + 1 < argc ? argv[at + 1] : NULL;
        int used = 0;
        for (size_t entry = 0; entry < sizeof numbers / sizeof *numbers; entry++) {
            if (strcmp(flag, numbers[entry].flag) == 0) {
                *numbers[entry].value = number(flag, value);
                if (*numbers[entry].value == 0 && !numbers[entry].may_be_zero) {
                    fail("%s must be at least 1", flag);
                }
                used = 2;
            }
        }
        if (strcmp(flag, "--incompressible") == 0) {
            options->workload.incompressible = true;
            used = 1;
        } else if (strcmp(flag, "--sequential") == 0) {
            options->workload.sequential = true;
            used = 1;
        } else if (strcmp(flag, "--killed") == 0) {
            options->killed = true;
            used = 1;
        } else if (used == 0) {
            used = peer->option(flag, value);
        }
        if (used == 0) {
            print_usage(peer);
            fail("unknown option %s", flag);
        }
        at += used;
    }
    options->rows = options->rows == 0 ? options->count : options->rows;
}

static void require_empty_directory(const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        fail("cannot make the directory %s: %s", path, strerror(errno));
    }
    DIR *directory = opendir(path);
    if (directory == NULL) {
        fail("cannot read the directory %s: %s", path, strerror(errno));
    }
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            fail("%s holds %s already; give an empty directory", path, entry->d_name);
        }
    }
    closedir(directory);
}

static void print_flushes(const Result *result) {
    if (!result->flushes_known) {
        printf("\"flushes\":null,");
        return;
    }
    const FlushCounts *flushes = &result->flushes;
    printf("\"flushes\":%" PRIu64 ",", flushes->fsync + flushes->fdatasync + flushes->msync + flushes->dsync_writes);
    printf("\"flushDetail\":{\"fsync\":%" PRIu64 ",\"fdatasync\":%" PRIu64 ",\"msync\":%" PRIu64, flushes->fsync,
           flushes->fdatasync, flushes->msync);
    printf(",\"dsyncWrites\":%" PRIu64 ",\"syncFileRange\":%" PRIu64 "},", flushes->dsync_writes, flushes->sync_file_range);
}

static void print_result(const Peer *peer, const Options *options, Result *result) {
    char settings[1024];
    peer->describe(options, settings, sizeof settings);
    printf("{\"peer\":\"%s\",\"version\":\"%s\",\"work\":\"%s\",", peer->name, peer->version(), options->work);
    printf("\"settings\":\"%s; %s content, %s keys\",", settings, options->workload.incompressible ? "incompressible" : "word",
           options->workload.sequential ? "sequential" : "random");
    printf("\"seed\":%" PRIu64 ",\"operations\":%" PRIu64, options->workload.seed, result->operations);
    printf(",\"seconds\":%.6f,\"perSecond\":%.1f,", result->seconds, (double)result->operations / result->seconds);
    printf("\"settleSeconds\":%.6f,\"generateSeconds\":%.6f,", result->settle_seconds, result->generate_seconds);
    printf("\"logicalBytes\":%" PRIu64 ",\"bytesOnDisk\":%" PRIu64 ",", result->logical_bytes, result->disk_bytes);
    if (result->latencies != NULL) {
        if (!result->commits_nothing) {
            printf("\"commits\":%zu,", result->commits);
        }
        printf("\"p50Microseconds\":%.1f,",
               latency_percentile(result->latencies, result->commits, 0.5));
        printf("\"p99Microseconds\":%.1f,\"maxMicroseconds\":%.1f,",
               latency_percentile(result->latencies, result->commits, 0.99),
               latency_percentile(result->latencies, result->commits, 1));
    }
    if (result->read_seconds > 0) {
        printf("\"ingestMBPerSecond\":%.1f,\"readSeconds\":%.6f,\"readMBPerSecond\":%.1f,",
               (double)result->logical_bytes / result->seconds / 1e6, result->read_seconds,
               (double)result->logical_bytes / result->read_seconds / 1e6);
    }
    if (result->touch != 0) {
        printf("\"touch\":\"%016" PRIx64 "\",", result->touch);
    }
    printf("\"peakAnonKiB\":%" PRIu64 ",\"peakHWMKiB\":%" PRIu64 ",", result->memory.peak_anon_kib,
           result->memory.peak_hwm_kib);
    print_flushes(result);
    printf("\"resultHash\":\"%016" PRIx64 "\"}\n", result->hash);
}

int drive(const Peer *peer, int argc, char **argv) {
    set_program_name(peer->name);
    if (argc < 3) {
        print_usage(peer);
        return 2;
    }
    Options options = {.work = argv[1], .directory = argv[2], .threads = 64, .size = 15728640, .cache_mib = 64,
                       .queries = 11};
    options.workload.seed = 1;
    for (size_t at = 0; at < sizeof works / sizeof *works; at++) {
        if (strcmp(options.work, works[at].name) != 0) {
            continue;
        }
        options.count = works[at].count;
        options.batch = works[at].batch;
        read_options(peer, argc, argv, &options);
        if (works[at].batch == 1) {
            options.batch = 1;
        }
        require_empty_directory(options.directory);
        Result result = works[at].run(peer, &options);
        print_result(peer, &options, &result);
        free(result.latencies);
        return 0;
    }
    print_usage(peer);
    fail("unknown work %s", options.work);
}
