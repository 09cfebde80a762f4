#include "extensions.h"
#include <math.h>

// The compiler may add in any order, so that it uses SIMD as Squall does.
#pragma clang fp reassociate(on)

static void l2(sqlite3_context *context, int count, sqlite3_value **values) {
    const float *a = sqlite3_value_blob(values[0]), *b = sqlite3_value_blob(values[1]);
    int bytes = sqlite3_value_bytes(values[0]);
    if (bytes != sqlite3_value_bytes(values[1])) return sqlite3_result_error(context, "dimensions", -1);
    float sum = 0;
    for (int index = 0; index < bytes / 4; index++) {
        float difference = a[index] - b[index];
        sum += difference * difference;
    }
    sqlite3_result_double(context, sqrt(sum));
}

static void cosine(sqlite3_context *context, int count, sqlite3_value **values) {
    const float *a = sqlite3_value_blob(values[0]), *b = sqlite3_value_blob(values[1]);
    int bytes = sqlite3_value_bytes(values[0]);
    if (bytes != sqlite3_value_bytes(values[1])) return sqlite3_result_error(context, "dimensions", -1);
    float product = 0, left = 0, right = 0;
    for (int index = 0; index < bytes / 4; index++) {
        product += a[index] * b[index];
        left += a[index] * a[index];
        right += b[index] * b[index];
    }
    sqlite3_result_double(context, 1 - product / (sqrt(left) * sqrt(right)));
}

int cvectors_add(sqlite3 *database) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int code = sqlite3_create_function_v2(database, "vec_distance_l2", 2, flags, 0, l2, 0, 0, 0);
    if (code != SQLITE_OK) return code;
    return sqlite3_create_function_v2(database, "vec_distance_cosine", 2, flags, 0, cosine, 0, 0, 0);
}
