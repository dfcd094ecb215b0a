#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

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

static int prepare(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return -1;
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

int csystem_pipe(int descriptors[2]) {
#if defined(__linux__)
    if (pipe2(descriptors, O_CLOEXEC | O_NONBLOCK) != 0) return errno;
#else
    if (pipe(descriptors) != 0) return errno;
#endif
    for (int index = 0; index < 2; index++) {
        // Where a standard one was closed, its number is not ours to take: a child would find its own ends mixed up.
        int moved = descriptors[index] > 2 ? descriptors[index] : fcntl(descriptors[index], F_DUPFD_CLOEXEC, 3);
        if (moved >= 0 && moved != descriptors[index]) close(descriptors[index]);
        if (moved >= 0) descriptors[index] = moved;
        if (moved < 0 || prepare(moved) < 0) {
            int number = errno;
            close(descriptors[0]);
            close(descriptors[1]);
            return number;
        }
    }
    return 0;
}

int csystem_accept(int listener) {
#if defined(__linux__)
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
#else
    int accepted = accept(listener, NULL, NULL);
    if (accepted >= 0 && prepare(accepted) < 0) {
        int number = errno;
        close(accepted);
        errno = number;
        return -1;
    }
    return accepted;
#endif
}

ssize_t csystem_write_quietly(int descriptor, const void *bytes, size_t count) {
#if defined(__linux__)
    sigset_t pipes, before, pending;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    int failure = pthread_sigmask(SIG_BLOCK, &pipes, &before);
    if (failure != 0) {
        errno = failure;
        return -1;
    }
    // One that waited before is somebody else's. Where it was not blocked, none can have waited.
    int waited = sigismember(&before, SIGPIPE) == 1 && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
    ssize_t written = write(descriptor, bytes, count);
    int number = errno;
    if (written < 0 && number == EPIPE && !waited) {
        const struct timespec at_once = {0, 0};
        while (sigtimedwait(&pipes, NULL, &at_once) < 0 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return written;
#else
    fcntl(descriptor, F_SETNOSIGPIPE, 1);
    return write(descriptor, bytes, count);
#endif
}

int csystem_peer(int socket, uint32_t *user, int32_t *process) {
#if defined(__linux__)
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return errno;
    *user = peer.uid;
    *process = peer.pid;
    return 0;
#else
    uid_t uid;
    gid_t gid;
    pid_t pid = 0;
    socklen_t size = sizeof pid;
    if (getpeereid(socket, &uid, &gid) != 0) return errno;
    if (getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, &pid, &size) != 0) pid = 0;
    *user = uid;
    *process = pid;
    return 0;
#endif
}

extern char **environ;

int csystem_spawn(const char *command, int input, int output, int errors, int32_t *process) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&files);
    if (failure != 0) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure != 0) {
        posix_spawn_file_actions_destroy(&files);
        return failure;
    }
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#if defined(__APPLE__)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    if (failure == 0) failure = posix_spawnattr_setsigdefault(&attributes, &all);
    if (failure == 0) failure = posix_spawnattr_setsigmask(&attributes, &none);
    if (failure == 0) failure = posix_spawnattr_setflags(&attributes, flags);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&files, input, 0);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&files, output, 1);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&files, errors, 2);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 34))
    if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(&files, 3);
#endif
    if (failure == 0) {
        char *const arguments[] = {"sh", "-c", (char *)command, NULL};
        pid_t child;
        failure = posix_spawn(&child, "/bin/sh", &files, &attributes, arguments, environ);
        if (failure == 0) *process = child;
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failure;
}
