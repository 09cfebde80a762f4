#include "library_log.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int misuse_count;
static char last_misuse[512];

static void did_log(void *context, int code, const char *message) {
    (void)context;
    if ((code & 0xff) != SQLITE_MISUSE) return;
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
