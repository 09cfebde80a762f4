#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
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

void fault_limit_file_size(int64_t bytes) {
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes < 0 ? limit.rlim_max : (rlim_t)bytes;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
}

int fault_descriptor_count(void) {
    DIR *folder = opendir("/dev/fd");
    if (!folder) return -1;
    int count = 0;
    while (readdir(folder)) count++;
    closedir(folder);
    // The entries of the folder itself, its parent, and its own descriptor.
    return count - 3;
}
