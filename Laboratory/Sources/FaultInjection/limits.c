#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fault_injection.h"

bool fault_limit_file_size(int64_t bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    limit.rlim_cur = bytes < 0 ? limit.rlim_max : (rlim_t)bytes;
    signal(SIGXFSZ, SIG_IGN);
    return setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

bool fault_limit_descriptors(int free) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
    if (free < 0) {
        limit.rlim_cur = limit.rlim_max;
    } else {
        // The limit is one of the numbers, of which some are in use.
        int number = 0;
        for (int unused = 0; unused < free || fcntl(number, F_GETFD) != -1; number++) {
            if (fcntl(number, F_GETFD) == -1) unused++;
        }
        limit.rlim_cur = (rlim_t)number;
    }
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/// Whether an entry of /dev/fd is a descriptor that the dispatch library opens at its first use, and keeps.
static int belongs_to_dispatch(const char *name) {
    char path[64], target[64];
    snprintf(path, sizeof path, "/dev/fd/%.16s", name);
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) return 0;
    target[length] = 0;
    return strstr(target, "timerfd") || strstr(target, "eventfd") || strstr(target, "eventpoll");
}

int fault_descriptor_count(void) {
    DIR *folder = opendir("/dev/fd");
    if (!folder) return -1;
    int count = 0;
    struct dirent *entry;
    while ((entry = readdir(folder))) count += !belongs_to_dispatch(entry->d_name);
    closedir(folder);
    // The entries of the folder itself, its parent, and its own descriptor.
    return count - 3;
}
