// The few system facilities Swift cannot express: atomics in shared memory, a pause while spinning, a file's birth time,
// descriptors that no child process inherits, child processes, writing to a pipe without its signal.
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stdint.h>
#include <sys/types.h>

/// Atomic access to a 64-bit word in memory shared with other processes. Sequentially consistent.
static inline uint64_t csystem_atomic_load(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static inline void csystem_atomic_store(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }
static inline uint64_t csystem_atomic_add(uint64_t *word, uint64_t value) { return __atomic_add_fetch(word, value, __ATOMIC_SEQ_CST); }

/// Tells the processor that the thread is waiting in a loop for another one.
static inline void csystem_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/// What identifies a file beyond its path. Times in nanoseconds since 1970; `birth` is 0 where the file system keeps none.
struct csystem_identity {
    uint64_t device;
    uint64_t inode;
    uint64_t birth;
    uint64_t change;
    uint64_t modification;
    uint64_t size;
    uint32_t mode;
};

/// Fills `identity` for `path` (not following a final symbolic link). Returns 0, or an errno.
int csystem_identify(const char *path, struct csystem_identity *identity);

/// The type of the file system that holds an open file, as `statfs` gives it (`f_type`), or 0.
uint64_t csystem_file_system_type(int descriptor);

/// A stable number for the file system that holds an open file (`f_fsid`), or 0.
uint64_t csystem_file_system_id(int descriptor);

/// The same for the file system that holds `path`, or 0.
uint64_t csystem_file_system_id_at(const char *path);

#if defined(__linux__)
/// A descriptor that `poll` reports readable for ever once eight bytes were written to it, closed on exec; -1 with errno.
int csystem_event(void);
#endif

/// Two descriptors above 2, closed on exec and never waiting: what is written to the second is read from the first.
/// Returns 0, or an errno.
int csystem_pipe(int descriptors[2]);

/// The next connection of a listening socket, closed on exec and never waiting; -1 with errno.
int csystem_accept(int listener);

/// Writes as `write` does, and reports a pipe that nobody reads by EPIPE alone: the SIGPIPE that comes with it is taken back
/// before the thread could get it. How the process handles signals stays as it is.
ssize_t csystem_write_quietly(int descriptor, const void *bytes, size_t count);

/// The user and the process at the other end of a Unix socket, as they were when it was connected. Returns 0, or an errno.
int csystem_peer(int socket, uint32_t *user, int32_t *process);

/// Starts `/bin/sh -c command` with the three descriptors as its standard ones and no other, and with signals as a program
/// expects them. Returns 0, or an errno.
int csystem_spawn(const char *command, int input, int output, int errors, int32_t *process);

#endif
