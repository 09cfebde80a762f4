#ifndef RAW_CLIENT_H
#define RAW_CLIENT_H

#include <stdint.h>

// A client of a dqlite node on a blocking socket, for benchmarks: statements with one parameter, an integer.
// Each function returns -1 after an error.

int raw_connect(int port);
void raw_close(int client);
int raw_open(int client, const char *name);
int raw_prepare(int client, const char *sql);
int raw_execute(int client, int statement, int count, int64_t value);
// Receives all rows, and returns the number of their bytes.
int64_t raw_query(int client, int statement, int count, int64_t value);

#endif
