// The counter that decides whether a call fails; shared by the files of this target.

#ifndef FAULT_COUNTER_H
#define FAULT_COUNTER_H

#include "fault_injection.h"

/// Counts a call, and returns whether it fails. `errno` is then set.
///
/// A call that cannot fail persistently fails at its own point only.
bool fault_fails(bool is_allocation, bool is_write, bool can_persist, const char *name);

#endif
