#define _GNU_SOURCE
#include "system_calls.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "fault_counter.h"
#include "watched_text.h"

// `stat` and `access` are left out: SQLite takes their failure for a file that does not exist, which is how it looks for
// a journal. No caller of SQLite can notice that. `close`, `munmap`, `fchmod` and `fchown` are left out because their
// result changes nothing.

typedef void (*call)(void);

static int (*original_open)(const char *, int, int);
static ssize_t (*original_read)(int, void *, size_t);
static ssize_t (*original_pread)(int, void *, size_t, off_t);
static ssize_t (*original_pread64)(int, void *, size_t, off_t);
static ssize_t (*original_write)(int, const void *, size_t);
static ssize_t (*original_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*original_pwrite64)(int, const void *, size_t, off_t);
static int (*original_ftruncate)(int, off_t);
static int (*original_fallocate)(int, off_t, off_t);
static int (*original_fstat)(int, struct stat *);
static int (*original_fcntl)(int, int, ...);
static int (*original_unlink)(const char *);
static void *(*original_mmap)(void *, size_t, int, int, int, off_t);
static void *(*original_mremap)(void *, size_t, size_t, int, ...);

static int failing_open(const char *path, int flags, int mode) {
    // Only a new file needs space.
    if (fault_fails(false, (flags & O_CREAT) && access(path, F_OK) != 0, true, "open")) return -1;
    return original_open(path, flags, mode);
}

static ssize_t failing_read(int file, void *bytes, size_t count) {
    if (fault_fails(false, false, true, "read")) return -1;
    return original_read(file, bytes, count);
}

static ssize_t failing_pread(int file, void *bytes, size_t count, off_t offset) {
    if (fault_fails(false, false, true, "pread")) return -1;
    return original_pread(file, bytes, count, offset);
}

static ssize_t failing_pread64(int file, void *bytes, size_t count, off_t offset) {
    if (fault_fails(false, false, true, "pread64")) return -1;
    return original_pread64(file, bytes, count, offset);
}

static ssize_t failing_write(int file, const void *bytes, size_t count) {
    if (fault_fails(false, true, true, "write")) return -1;
    watch_written(file, bytes, count);
    return original_write(file, bytes, count);
}

static ssize_t failing_pwrite(int file, const void *bytes, size_t count, off_t offset) {
    if (fault_fails(false, true, true, "pwrite")) return -1;
    watch_written(file, bytes, count);
    return original_pwrite(file, bytes, count, offset);
}

static ssize_t failing_pwrite64(int file, const void *bytes, size_t count, off_t offset) {
    if (fault_fails(false, true, true, "pwrite64")) return -1;
    watch_written(file, bytes, count);
    return original_pwrite64(file, bytes, count, offset);
}

static int failing_ftruncate(int file, off_t size) {
    if (fault_fails(false, true, true, "ftruncate")) return -1;
    return original_ftruncate(file, size);
}

static int failing_fallocate(int file, off_t offset, off_t count) {
    if (fault_fails(false, true, true, "fallocate")) return -1;
    return original_fallocate(file, offset, count);
}

static int failing_fstat(int file, struct stat *status) {
    if (fault_fails(false, false, true, "fstat")) return -1;
    return original_fstat(file, status);
}

static int failing_fcntl(int file, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    // SQLite waits ten seconds for a lock of a log's index that cannot be taken: a persistent failure would take too long.
    // Only locking fails. No system fails to release a lock, and SQLite has no way to go on where one does.
    bool is_setting = command == F_SETLK || command == F_SETLKW;
    int type = is_setting ? ((struct flock *)argument)->l_type : F_UNLCK;
    const char *call = type == F_RDLCK ? "fcntl F_RDLCK" : "fcntl";
    if ((command == F_GETLK || type != F_UNLCK) && fault_fails(false, false, false, call)) return -1;
    return original_fcntl(file, command, argument);
}

static int failing_unlink(const char *path) {
    if (fault_fails(false, false, true, "unlink")) return -1;
    return original_unlink(path);
}

static void *failing_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    if (fault_fails(false, false, true, "mmap")) return MAP_FAILED;
    return original_mmap(address, size, protection, flags, file, offset);
}

#ifdef __linux__
static void *failing_mremap(void *address, size_t old_size, size_t new_size, int flags, ...) {
    if (fault_fails(false, false, true, "mremap")) return MAP_FAILED;
    return original_mremap(address, old_size, new_size, flags);
}
#endif

int fault_install_system_calls(void) {
    struct replacement {
        const char *name;
        call function;
        call *original;
    } replacements[] = {
#define REPLACEMENT(name) {#name, (call)failing_##name, (call *)&original_##name}
        REPLACEMENT(open),      REPLACEMENT(read),      REPLACEMENT(pread),     REPLACEMENT(pread64),
        REPLACEMENT(write),     REPLACEMENT(pwrite),    REPLACEMENT(pwrite64),  REPLACEMENT(ftruncate),
        REPLACEMENT(fallocate), REPLACEMENT(fstat),     REPLACEMENT(fcntl),     REPLACEMENT(unlink),
        REPLACEMENT(mmap),
#ifdef __linux__
        REPLACEMENT(mremap),
#endif
#undef REPLACEMENT
    };
    // The one that calls the system, which is not the default of SQLite3 Multiple Ciphers.
    sqlite3_vfs *system = sqlite3_vfs_find("unix");
    for (size_t index = 0; index < sizeof replacements / sizeof *replacements; index++) {
        struct replacement *replacement = &replacements[index];
        // A name that the library was built without has no function.
        call original = (call)system->xGetSystemCall(system, replacement->name);
        if (!original) continue;
        *replacement->original = original;
        int code = system->xSetSystemCall(system, replacement->name, (sqlite3_syscall_ptr)replacement->function);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}
