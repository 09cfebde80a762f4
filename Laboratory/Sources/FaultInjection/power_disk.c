#include "power_disk.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maximum_files = 16, sector = 512 };

typedef struct {
    uint8_t *bytes;
    int64_t size, capacity;
} image;

typedef struct {
    char name[64];
    image content;
} remembered_file;

/// A file under its name. A file that is deleted and made again is another one.
typedef struct {
    /// What has been flushed.
    image durable;
    /// The writes and truncations since.
    const record_operation **pending;
    int32_t pending_count, pending_capacity;
    int exists;
    /// Whether the entry in the folder may be lost: the file was never flushed.
    int is_new;
} disk_file;

static remembered_file remembered[maximum_files];
static int remembered_count;
static disk_file files[maximum_files];
/// The file that had the name before it was deleted, as long as the deletion may be undone.
static disk_file deleted[maximum_files];
static char *const *file_names;
static int32_t file_count;
static uint64_t state;

static uint64_t random_number(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dULL >> 16;
}

static int flip(void) {
    return random_number() & 1;
}

// MARK: - Images

static void resize(image *image, int64_t size) {
    if (size > image->capacity) {
        image->capacity = size * 2;
        image->bytes = realloc(image->bytes, (size_t)image->capacity);
    }
    // A gap is full of zeros.
    if (size > image->size) memset(image->bytes + image->size, 0, (size_t)(size - image->size));
    image->size = size;
}

static void write_part(image *image, const record_operation *write, int64_t from, int64_t to) {
    if (image->size < write->offset + to) resize(image, write->offset + to);
    memcpy(image->bytes + write->offset + from, write->bytes + from, (size_t)(to - from));
}

static void apply_all(image *image, const record_operation *operation) {
    if (operation->kind == record_truncate) resize(image, operation->offset);
    else write_part(image, operation, 0, operation->count);
}

/// Writes some of the sectors that a write touches.
static void apply_torn(image *image, const record_operation *write) {
    for (int64_t from = 0; from < write->count;) {
        int64_t to = ((write->offset + from) / sector + 1) * sector - write->offset;
        if (to > write->count) to = write->count;
        if (flip()) write_part(image, write, from, to);
        from = to;
    }
}

static void copy_image(image *copy, const image *source) {
    resize(copy, source->size);
    if (source->size > 0) memcpy(copy->bytes, source->bytes, (size_t)source->size);
}

// MARK: - The files

void disk_remember(const char *folder) {
    for (int index = 0; index < remembered_count; index++) {
        free(remembered[index].content.bytes);
        memset(&remembered[index], 0, sizeof remembered[index]);
    }
    remembered_count = 0;
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries && remembered_count < maximum_files && (entry = readdir(entries))) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *stream = entry->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (!stream) continue;
        remembered_file *file = &remembered[remembered_count++];
        snprintf(file->name, sizeof file->name, "%.60s", entry->d_name);
        fseek(stream, 0, SEEK_END);
        resize(&file->content, ftell(stream));
        rewind(stream);
        if (file->content.size > 0 && fread(file->content.bytes, (size_t)file->content.size, 1, stream) != 1) {
            file->content.size = 0;
        }
        fclose(stream);
    }
    if (entries) closedir(entries);
}

static void empty(disk_file *file) {
    file->durable.size = 0;
    file->pending_count = 0;
    file->exists = 0;
    file->is_new = 0;
}

void disk_reset(char *const *names, int32_t count, uint64_t seed) {
    file_names = names;
    file_count = count;
    state = seed * 2 + 1;
    for (int32_t index = 0; index < count; index++) {
        empty(&files[index]);
        empty(&deleted[index]);
        for (int other = 0; other < remembered_count; other++) {
            if (strcmp(remembered[other].name, names[index]) != 0) continue;
            copy_image(&files[index].durable, &remembered[other].content);
            files[index].exists = 1;
        }
    }
}

static void forget_deletions(void) {
    for (int32_t index = 0; index < file_count; index++) deleted[index].exists = 0;
}

static void flush(disk_file *file) {
    for (int32_t index = 0; index < file->pending_count; index++) apply_all(&file->durable, file->pending[index]);
    file->pending_count = 0;
    // With a new file, SQLite flushes its folder as well.
    if (file->is_new) forget_deletions();
    file->is_new = 0;
}

static void exchange(disk_file *first, disk_file *second) {
    disk_file other = *first;
    *first = *second;
    *second = other;
}

void disk_apply(const record_operation *operation) {
    disk_file *file = &files[operation->file];
    switch (operation->kind) {
    case record_create:
        empty(file);
        file->exists = file->is_new = 1;
        break;
    case record_write:
    case record_truncate:
        if (file->pending_count == file->pending_capacity) {
            file->pending_capacity = file->pending_capacity ? file->pending_capacity * 2 : 64;
            file->pending = realloc(file->pending, (size_t)file->pending_capacity * sizeof *file->pending);
        }
        file->pending[file->pending_count++] = operation;
        break;
    case record_flush: flush(file); break;
    case record_delete:
        exchange(file, &deleted[operation->file]);
        empty(file);
        break;
    case record_flush_folder: forget_deletions(); break;
    case record_acknowledge: break;
    }
}

// MARK: - The power cut

/// Applies what is left of the operations that were not flushed. Returns whether any is.
static int apply_rest(disk_file *file, power_loss_mode mode, const record_operation *end) {
    int is_any_left = 0;
    for (int32_t index = 0; index < file->pending_count; index++) {
        const record_operation *operation = file->pending[index];
        switch (mode) {
        case power_loss_drops_all: continue;
        case power_loss_keeps_prefix:
            if (operation >= end) continue;
            break;
        case power_loss_reorders:
        case power_loss_tears:
            if (!flip()) continue;
            break;
        }
        if (mode == power_loss_tears && operation->kind == record_write) apply_torn(&file->durable, operation);
        else apply_all(&file->durable, operation);
        is_any_left = 1;
    }
    return is_any_left;
}

/// Chooses the operation before which the ones that were not flushed are kept.
static const record_operation *choose_end(void) {
    const record_operation *chosen = NULL;
    uint64_t seen = 0;
    for (int32_t index = 0; index < file_count; index++) {
        for (int32_t pending = 0; pending < files[index].pending_count; pending++) {
            if (random_number() % ++seen == 0) chosen = files[index].pending[pending];
        }
    }
    return chosen;
}

int disk_cut_power(const char *folder, power_loss_mode mode, int undoes_deletions) {
    const record_operation *end = choose_end();
    for (int32_t index = 0; index < file_count; index++) {
        disk_file *file = &files[index];
        // A deletion is undone together with the making of a new file of the name, unless that was flushed.
        if (undoes_deletions && deleted[index].exists && (!file->exists || file->is_new) && flip()) {
            file = &deleted[index];
        }
        if (!file->exists) continue;
        int is_any_left = apply_rest(file, mode, end);
        if (file->is_new && !is_any_left) continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, file_names[index]);
        FILE *stream = fopen(path, "wb");
        if (!stream) return errno;
        size_t count = (size_t)file->durable.size;
        if (count > 0 && fwrite(file->durable.bytes, count, 1, stream) != 1) return errno;
        if (fclose(stream) != 0) return errno;
    }
    return 0;
}
