// A disk that is rebuilt from the record, and loses power.

#ifndef POWER_DISK_H
#define POWER_DISK_H

#include "power_loss.h"
#include "power_record.h"

/// Remembers the files of a folder, as they are on the disk when the record begins.
void disk_remember(const char *folder);

/// Makes the disk as it was when the record began.
void disk_reset(char *const *names, int32_t count, uint64_t seed);

/// Repeats an operation.
void disk_apply(const record_operation *operation);

/// Writes the files that are left after a power cut into a folder. Returns 0, or the number of an error.
int disk_cut_power(const char *folder, power_loss_mode mode, int undoes_deletions);

#endif
