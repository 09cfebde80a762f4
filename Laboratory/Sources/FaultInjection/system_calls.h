#ifndef SYSTEM_CALLS_H
#define SYSTEM_CALLS_H

/// Replaces the system calls of SQLite's VFS for Unix. Returns a result code of SQLite.
int fault_install_system_calls(void);

#endif
