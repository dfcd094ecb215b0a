#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#else
#include <sys/mount.h>
#include <sys/param.h>
#endif

static const uint64_t NANOSECONDS = 1000000000ull;

#if defined(__linux__)
static uint64_t nanoseconds(struct statx_timestamp time) {
    return (uint64_t)time.tv_sec * NANOSECONDS + time.tv_nsec;
}

int csystem_identify(const char *path, struct csystem_identity *identity) {
    struct statx facts;
    memset(identity, 0, sizeof *identity);
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &facts) != 0) return errno;
    identity->device = makedev(facts.stx_dev_major, facts.stx_dev_minor);
    identity->inode = facts.stx_ino;
    identity->birth = (facts.stx_mask & STATX_BTIME) ? nanoseconds(facts.stx_btime) : 0;
    identity->change = nanoseconds(facts.stx_ctime);
    identity->modification = nanoseconds(facts.stx_mtime);
    identity->size = facts.stx_size;
    identity->mode = facts.stx_mode;
    return 0;
}
#else
static uint64_t nanoseconds(struct timespec time) {
    return (uint64_t)time.tv_sec * NANOSECONDS + (uint64_t)time.tv_nsec;
}

int csystem_identify(const char *path, struct csystem_identity *identity) {
    struct stat facts;
    memset(identity, 0, sizeof *identity);
    if (lstat(path, &facts) != 0) return errno;
    identity->device = (uint64_t)facts.st_dev;
    identity->inode = (uint64_t)facts.st_ino;
    identity->birth = nanoseconds(facts.st_birthtimespec);
    identity->change = nanoseconds(facts.st_ctimespec);
    identity->modification = nanoseconds(facts.st_mtimespec);
    identity->size = (uint64_t)facts.st_size;
    identity->mode = facts.st_mode;
    return 0;
}
#endif

uint64_t csystem_file_system_type(int descriptor) {
    struct statfs facts;
    return fstatfs(descriptor, &facts) == 0 ? (uint64_t)facts.f_type : 0;
}

static uint64_t number_of(const struct statfs *facts) {
    uint64_t number = 0;
    size_t length = sizeof facts->f_fsid < sizeof number ? sizeof facts->f_fsid : sizeof number;
    memcpy(&number, &facts->f_fsid, length);
    return number;
}

uint64_t csystem_file_system_id(int descriptor) {
    struct statfs facts;
    return fstatfs(descriptor, &facts) == 0 ? number_of(&facts) : 0;
}

uint64_t csystem_file_system_id_at(const char *path) {
    struct statfs facts;
    return statfs(path, &facts) == 0 ? number_of(&facts) : 0;
}

#if defined(__linux__)
int csystem_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
#endif
