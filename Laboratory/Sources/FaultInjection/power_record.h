// The operations that the VFS records, in their order.

#ifndef POWER_RECORD_H
#define POWER_RECORD_H

#include <stdint.h>

typedef enum {
    record_create,
    record_write,
    record_truncate,
    record_flush,
    record_delete,
    /// The folder was flushed: its deletions last.
    record_flush_folder,
    record_acknowledge
} record_kind;

typedef struct {
    record_kind kind;
    /// The number of the file, or of the writer that acknowledges.
    int32_t file;
    /// The offset of a write, the new size, or the number that is acknowledged.
    int64_t offset;
    int32_t count;
    uint8_t *bytes;
} record_operation;

/// Returns the number of a file of the recorded folder; -1 for another file, or if nothing is recorded.
int32_t record_file(const char *path);

/// Adds an operation. The bytes are copied.
void record_add(record_kind kind, int32_t file, int64_t offset, const void *bytes, int32_t count);

#endif
