#ifndef EXTENSIONS_H
#define EXTENSIONS_H

#include <sqlite3.h>

// Adds `vec_distance_l2` and `vec_distance_cosine` as a C programmer writes them: without checks of the components.
int cvectors_add(sqlite3 *database);

// An array of integers that `integers(?)` reads as a table of one column, `value`.
struct cintegers {
    const sqlite3_int64 *values;
    sqlite3_int64 count;
};

int cintegers_add(sqlite3 *database);
int cintegers_bind(sqlite3_stmt *statement, int index, struct cintegers *integers);

// Adds `series(count)`: a table function of two columns, `n` and `half`.
int cseries_add(sqlite3 *database);

// Let callgrind count instructions from here on, and no longer. Without callgrind they have no effect.
void ccallgrind_start(void);
void ccallgrind_stop(void);

#endif
