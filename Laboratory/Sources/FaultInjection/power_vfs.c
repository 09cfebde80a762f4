#include <sqlite3.h>
#include <string.h>

#include "power_loss.h"
#include "power_record.h"

// The VFS for Unix, in front of which the recording functions are. A recorded file is followed in memory by the file of the
// VFS for Unix.

typedef struct {
    sqlite3_file base;
    int32_t number;
} recorded_file;

static sqlite3_vfs *original;
static sqlite3_vfs recording;

static sqlite3_file *inner(sqlite3_file *file) {
    return (sqlite3_file *)((recorded_file *)file + 1);
}

static int32_t number(sqlite3_file *file) {
    return ((recorded_file *)file)->number;
}

#define INNER(file) (inner(file)->pMethods)

static int close_file(sqlite3_file *file) {
    return INNER(file)->xClose(inner(file));
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return INNER(file)->xRead(inner(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = INNER(file)->xWrite(inner(file), bytes, count, offset);
    if (code == SQLITE_OK) record_add(record_write, number(file), offset, bytes, count);
    return code;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    int code = INNER(file)->xTruncate(inner(file), size);
    if (code == SQLITE_OK) record_add(record_truncate, number(file), size, 0, 0);
    return code;
}

static int sync_file(sqlite3_file *file, int flags) {
    int code = INNER(file)->xSync(inner(file), flags);
    if (code == SQLITE_OK) record_add(record_flush, number(file), 0, 0, 0);
    return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return INNER(file)->xFileSize(inner(file), size);
}

static int lock_file(sqlite3_file *file, int level) {
    return INNER(file)->xLock(inner(file), level);
}

static int unlock_file(sqlite3_file *file, int level) {
    return INNER(file)->xUnlock(inner(file), level);
}

static int check_reserved_lock(sqlite3_file *file, int *is_locked) {
    return INNER(file)->xCheckReservedLock(inner(file), is_locked);
}

static int control_file(sqlite3_file *file, int operation, void *argument) {
    return INNER(file)->xFileControl(inner(file), operation, argument);
}

static int sector_size(sqlite3_file *file) {
    return INNER(file)->xSectorSize(inner(file));
}

static int device_characteristics(sqlite3_file *file) {
    return INNER(file)->xDeviceCharacteristics(inner(file));
}

static int map_index(sqlite3_file *file, int region, int size, int extends, void volatile **address) {
    return INNER(file)->xShmMap(inner(file), region, size, extends, address);
}

static int lock_index(sqlite3_file *file, int offset, int count, int flags) {
    return INNER(file)->xShmLock(inner(file), offset, count, flags);
}

static void order_index(sqlite3_file *file) {
    INNER(file)->xShmBarrier(inner(file));
}

static int unmap_index(sqlite3_file *file, int deletes) {
    return INNER(file)->xShmUnmap(inner(file), deletes);
}

static int fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **address) {
    return INNER(file)->xFetch(inner(file), offset, count, address);
}

static int unfetch(sqlite3_file *file, sqlite3_int64 offset, void *address) {
    return INNER(file)->xUnfetch(inner(file), offset, address);
}

static const sqlite3_io_methods methods = {
    3,          close_file,  read_file,           write_file,   truncate_file, sync_file,
    file_size,  lock_file,   unlock_file,         check_reserved_lock,         control_file,
    sector_size, device_characteristics, map_index, lock_index, order_index,   unmap_index,
    fetch,      unfetch,
};

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    recorded_file *recorded = (recorded_file *)file;
    memset(recorded, 0, sizeof *recorded);
    int existed = 0;
    if (path) original->xAccess(original, path, SQLITE_ACCESS_EXISTS, &existed);
    int code = original->xOpen(original, path, inner(file), flags, out_flags);
    // SQLite closes a file whose opening has failed if it has methods.
    recorded->base.pMethods = inner(file)->pMethods ? &methods : 0;
    recorded->number = path ? record_file(path) : -1;
    if (code == SQLITE_OK && !existed) record_add(record_create, recorded->number, 0, 0, 0);
    return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int flushes_folder) {
    (void)vfs;
    int code = original->xDelete(original, path, flushes_folder);
    if (code == SQLITE_OK) {
        record_add(record_delete, record_file(path), 0, 0, 0);
        if (flushes_folder) record_add(record_flush_folder, record_file(path), 0, 0, 0);
    }
    return code;
}

int power_loss_install(void) {
    int code = sqlite3_initialize();
    if (code != SQLITE_OK) return code;
    original = sqlite3_vfs_find(0);
    recording = *original;
    recording.zName = "power-loss";
    recording.szOsFile = (int)sizeof(recorded_file) + original->szOsFile;
    recording.xOpen = open_file;
    recording.xDelete = delete_file;
    return sqlite3_vfs_register(&recording, 1);
}
