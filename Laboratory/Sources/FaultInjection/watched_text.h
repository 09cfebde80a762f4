#ifndef WATCHED_TEXT_H
#define WATCHED_TEXT_H

#include <stddef.h>

/// Prints a violation if bytes that are written to a file have the text of `fault_watch`.
void watch_written(int file, const void *bytes, size_t count);

#endif
