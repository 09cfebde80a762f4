#include <sqlite3.h>
#include <stdatomic.h>

#include "fault_counter.h"
#include "system_calls.h"

static sqlite3_mem_methods original;
static _Atomic int64_t live;

static void *failing_malloc(int size) {
    if (fault_fails(true, false, true, "malloc")) return 0;
    void *memory = original.xMalloc(size);
    if (memory) ++live;
    return memory;
}

static void *failing_realloc(void *memory, int size) {
    if (fault_fails(true, false, true, "realloc")) return 0;
    return original.xRealloc(memory, size);
}

static void counting_free(void *memory) {
    if (memory) --live;
    original.xFree(memory);
}

int fault_install(void) {
    int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original);
    if (code != SQLITE_OK) return code;
    sqlite3_mem_methods methods = original;
    methods.xMalloc = failing_malloc;
    methods.xRealloc = failing_realloc;
    methods.xFree = counting_free;
    code = sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    if (code != SQLITE_OK) return code;
    // Small allocations of a connection would come from its own memory, where none can fail.
    code = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
    if (code != SQLITE_OK) return code;
    code = sqlite3_initialize();
    return code == SQLITE_OK ? fault_install_system_calls() : code;
}

int64_t fault_allocation_count(void) {
    return live;
}
