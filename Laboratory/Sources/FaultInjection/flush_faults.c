#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include "fault_counter.h"

// SQLite does not let its callers replace the functions that flush a file. On Linux, those of the program take precedence
// over those of the C library.
#ifdef __linux__
int fsync(int file) {
    if (fault_fails(false, true, true, "fsync")) return -1;
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    if (fault_fails(false, true, true, "fdatasync")) return -1;
    return (int)syscall(SYS_fdatasync, file);
}
#endif
