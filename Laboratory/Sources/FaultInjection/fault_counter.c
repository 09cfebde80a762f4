#include "fault_counter.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

// Calls of every thread are counted: a database has threads of its own, and their calls can fail like others.
static _Atomic int armed_kind;
static _Atomic int64_t counted, failed;
static _Atomic(const char *) failed_name;
static int64_t failing_point;
static bool fails_persistently;
static int failing_errno;
static bool ends_process;

void fault_begin(fault_kind kind, int64_t point, bool is_persistent, int error_number) {
    failing_point = point;
    fails_persistently = is_persistent;
    failing_errno = error_number;
    counted = 0;
    failed = 0;
    failed_name = NULL;
    armed_kind = kind;
}

void fault_kill(int64_t point) {
    ends_process = true;
    fault_begin(fault_system_calls, point, false, 0);
}

void fault_end(void) {
    armed_kind = 0;
}

int64_t fault_failed_count(void) {
    return failed;
}

int64_t fault_counted(void) {
    return counted;
}

const char *fault_failed_name(void) {
    const char *name = failed_name;
    return name ? name : "none";
}

bool fault_fails(bool is_allocation, bool is_write, bool can_persist, const char *name) {
    int kind = armed_kind;
    if (kind == 0 || (kind == fault_allocations) != is_allocation) return false;
    if (kind == fault_writes && !is_write) return false;
    int64_t number = ++counted;
    if (number != failing_point && !(fails_persistently && can_persist && number > failing_point)) return false;
    if (ends_process) raise(SIGKILL);
    const char *none = NULL;
    atomic_compare_exchange_strong(&failed_name, &none, name);
    ++failed;
    errno = failing_errno;
    return true;
}
