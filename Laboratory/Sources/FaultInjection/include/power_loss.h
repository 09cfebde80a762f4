// A VFS that records what is written and flushed, to find what a power cut can leave of it.

#ifndef POWER_LOSS_H
#define POWER_LOSS_H

#include <stdint.h>

/// What of the writes that were not flushed is on the disk after the power cut.
typedef enum {
    /// Nothing.
    power_loss_drops_all = 0,
    /// The first ones, up to one that is chosen at random.
    power_loss_keeps_prefix = 1,
    /// Some of them, in any order.
    power_loss_reorders = 2,
    /// Some of their sectors of 512 bytes, each in one of the versions that were written.
    power_loss_tears = 3
} power_loss_mode;

/// Makes a VFS the default that passes all calls on to the one for Unix. Returns a result code of SQLite.
int power_loss_install(void);

/// Begins to record. The files of a folder are on the disk as they are.
void power_loss_begin(const char *folder);

/// Notes that a transaction is acknowledged to its caller.
void power_loss_acknowledge(int32_t writer, int32_t number);

/// Ends the record.
void power_loss_end(void);

/// The number of operations that were recorded, between any two of which the power can be cut.
int64_t power_loss_operation_count(void);

/// Returns the last number that a writer had acknowledged when the power was cut; 0 if none.
int32_t power_loss_acknowledged(int64_t operations, int32_t writer);

/// Returns the number of operations before the last deletion of a file that a power cut after some operations can undo, and all
/// of them if it can undo none.
int64_t power_loss_kept_operations(int64_t operations);

/// Writes the files as a power cut after some operations can leave them.
///
/// @param undoes_deletions Whether the deletions that no flush of the folder followed are undone.
/// @return 0, or the number of an error.
int power_loss_write_files(
    const char *folder, int64_t operations, power_loss_mode mode, int undoes_deletions, uint64_t seed);

#endif
