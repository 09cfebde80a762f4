#include "library_log.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int misuse_count;
static char last_misuse[512];

static void did_log(void *context, int code, const char *message) {
    (void)context;
    // "statement aborts at …" is the end of a statement by an error of its function, which may be of this code.
    if ((code & 0xff) != SQLITE_MISUSE || strncmp(message, "statement aborts", 16) == 0) return;
    // A message that is cut by another thread is no worse than none.
    snprintf(last_misuse, sizeof last_misuse, "%s", message);
    atomic_fetch_add(&misuse_count, 1);
}

int library_log_install(void) {
    return sqlite3_config(SQLITE_CONFIG_LOG, did_log, (void *)0);
}

int library_log_take_misuse_count(void) {
    return atomic_exchange(&misuse_count, 0);
}

const char *library_log_last_misuse(void) {
    return last_misuse;
}
