#ifndef CVECTORS_H
#define CVECTORS_H

#include <sqlite3.h>

// Adds `vec_distance_l2` and `vec_distance_cosine` as a C programmer writes them: without checks of the components.
int cvectors_add(sqlite3 *database);

#endif
