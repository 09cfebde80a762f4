// Failing allocations and system calls of SQLite, one point after the other.

#ifndef FAULT_INJECTION_H
#define FAULT_INJECTION_H

#include <stdbool.h>
#include <stdint.h>

/// The calls that are counted, and of which one fails.
typedef enum {
    /// Every system call that SQLite makes for a file: opening, reading, writing, truncating, locking, mapping,
    /// deleting and flushing.
    fault_system_calls = 1,
    /// The system calls that need space on the disk.
    fault_writes = 2,
    /// `malloc` and `realloc`.
    fault_allocations = 3
} fault_kind;

/// Puts the failing functions into SQLite. Call it once, before anything uses SQLite.
/// Returns a result code of SQLite.
int fault_install(void);

/// Lets the call with a number fail, and all calls after it if the fault is persistent. Counting begins at 1.
void fault_begin(fault_kind kind, int64_t point, bool is_persistent, int error_number);

/// Kills the process instead of the system call with a number.
void fault_kill(int64_t point);

/// Prints a violation for each write of SQLite to a file that has a text, from now on. SQLite deletes temporary files as soon as they are
/// open, so that their content can be seen only while it is written.
void fault_watch(const char *text);

/// The number of bytes in which the text was looked for.
int64_t fault_watched_count(void);

/// Ends the fault.
void fault_end(void);

/// The number of calls that have failed since `fault_begin`.
int64_t fault_failed_count(void);

/// The number of calls that were counted since `fault_begin`.
int64_t fault_counted(void);

/// The name of the first call that has failed: "pwrite", "malloc".
const char *fault_failed_name(void);

/// The number of allocations that SQLite has not freed.
int64_t fault_allocation_count(void);

/// Lets the process write no file beyond a size, without the signal that would end it; any size if negative.
/// Returns whether the system has set the limit.
bool fault_limit_file_size(int64_t bytes);

/// Lets the process open so many descriptors more; as many as the system allows if negative.
/// Returns whether the system has set the limit.
bool fault_limit_descriptors(int free);

/// Returns the number of descriptors that the process has open, and -1 where it cannot be found.
int fault_descriptor_count(void);

#endif
