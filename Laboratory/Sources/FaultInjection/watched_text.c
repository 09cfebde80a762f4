#define _GNU_SOURCE
#include "watched_text.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fault_injection.h"

static const char *_Atomic watched;
static _Atomic int64_t looked_at;

void fault_watch(const char *text) {
    watched = strdup(text);
}

int64_t fault_watched_count(void) {
    return looked_at;
}

void watch_written(int file, const void *bytes, size_t count) {
    const char *text = watched;
    if (!text) return;
    looked_at += (int64_t)count;
    if (!memmem(bytes, count, text, strlen(text))) return;
    char link[64], name[256] = "a file", line[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length > 0) name[length] = 0;
    int size = snprintf(line, sizeof line, "V the needle was written in clear to %s\n", name);
    // At once: the process may be killed at the next call.
    if (write(STDOUT_FILENO, line, (size_t)size) < 0) _exit(3);
}
