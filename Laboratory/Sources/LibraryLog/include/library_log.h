// The messages that SQLite writes to its log about calls that break the rules of its interface.

#ifndef LIBRARY_LOG_H
#define LIBRARY_LOG_H

/// Lets SQLite report misuse. Call it once, before anything uses SQLite. Returns a result code of SQLite.
int library_log_install(void);

/// The number of reports of misuse since the last call.
int library_log_take_misuse_count(void);

/// The text of the last report of misuse.
const char *library_log_last_misuse(void);

#endif
