#include "power_record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "power_disk.h"
#include "power_loss.h"

enum { maximum_files = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *recorded_folder;
static char *paths[maximum_files];
static int32_t path_count;
static record_operation *operations;
static int64_t operation_count, capacity;

static void clear(void) {
    for (int64_t index = 0; index < operation_count; index++) free(operations[index].bytes);
    free(operations);
    operations = NULL;
    operation_count = capacity = 0;
    for (int32_t index = 0; index < path_count; index++) free(paths[index]);
    path_count = 0;
    free(recorded_folder);
    recorded_folder = NULL;
}

void power_loss_begin(const char *folder) {
    pthread_mutex_lock(&lock);
    clear();
    disk_remember(folder);
    recorded_folder = strdup(folder);
    pthread_mutex_unlock(&lock);
}

void power_loss_end(void) {
    pthread_mutex_lock(&lock);
    free(recorded_folder);
    recorded_folder = NULL;
    pthread_mutex_unlock(&lock);
}

int32_t record_file(const char *path) {
    int32_t number = -1;
    pthread_mutex_lock(&lock);
    size_t length = recorded_folder ? strlen(recorded_folder) : 0;
    if (length > 0 && strncmp(path, recorded_folder, length) == 0) {
        const char *name = path + length + 1;
        for (int32_t index = 0; index < path_count && number < 0; index++) {
            if (strcmp(paths[index], name) == 0) number = index;
        }
        if (number < 0 && path_count < maximum_files) {
            paths[path_count] = strdup(name);
            number = path_count++;
        }
    }
    pthread_mutex_unlock(&lock);
    return number;
}

void record_add(record_kind kind, int32_t file, int64_t offset, const void *bytes, int32_t count) {
    if (file < 0) return;
    pthread_mutex_lock(&lock);
    if (recorded_folder) {
        if (operation_count == capacity) {
            capacity = capacity ? capacity * 2 : 1024;
            operations = realloc(operations, (size_t)capacity * sizeof *operations);
        }
        record_operation *operation = &operations[operation_count++];
        *operation = (record_operation){.kind = kind, .file = file, .offset = offset, .count = count};
        if (count > 0) {
            operation->bytes = malloc((size_t)count);
            memcpy(operation->bytes, bytes, (size_t)count);
        }
    }
    pthread_mutex_unlock(&lock);
}

void power_loss_acknowledge(int32_t writer, int32_t number) {
    record_add(record_acknowledge, writer, number, NULL, 0);
}

int64_t power_loss_operation_count(void) {
    return operation_count;
}

int32_t power_loss_acknowledged(int64_t count, int32_t writer) {
    int32_t last = 0;
    for (int64_t index = 0; index < count; index++) {
        const record_operation *operation = &operations[index];
        if (operation->kind == record_acknowledge && operation->file == writer) last = (int32_t)operation->offset;
    }
    return last;
}

int64_t power_loss_kept_operations(int64_t count) {
    int64_t kept = count;
    int is_new[maximum_files] = {0};
    for (int64_t index = 0; index < count; index++) {
        const record_operation *operation = &operations[index];
        switch (operation->kind) {
        case record_create: is_new[operation->file] = 1; break;
        case record_delete: kept = index; break;
        case record_flush_folder: kept = count; break;
        case record_flush:
            // With a new file, SQLite flushes its folder as well.
            if (is_new[operation->file]) kept = count;
            is_new[operation->file] = 0;
            break;
        case record_write:
        case record_truncate:
        case record_acknowledge: break;
        }
    }
    return kept;
}

int power_loss_write_files(
    const char *folder, int64_t count, power_loss_mode mode, int undoes_deletions, uint64_t seed) {
    disk_reset(paths, path_count, seed);
    for (int64_t index = 0; index < count; index++) {
        const record_operation *operation = &operations[index];
        if (operation->kind != record_acknowledge) disk_apply(operation);
    }
    return disk_cut_power(folder, mode, undoes_deletions);
}
