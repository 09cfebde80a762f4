#include "extensions.h"
#include <stdlib.h>

// Two virtual tables as a C programmer writes them: one column or two, one parameter, a cursor that counts.

struct cursor {
    sqlite3_vtab_cursor base;
    sqlite3_int64 index, count;
    const sqlite3_int64 *values;
};

static int disconnect(sqlite3_vtab *table) {
    free(table);
    return SQLITE_OK;
}

static int connect(
    sqlite3 *database, void *sql, int count, const char *const *arguments, sqlite3_vtab **table, char **message
) {
    int code = sqlite3_declare_vtab(database, sql);
    if (code != SQLITE_OK) return code;
    *table = calloc(1, sizeof(sqlite3_vtab));
    return *table ? SQLITE_OK : SQLITE_NOMEM;
}

// The parameter is the last column.
static int plan(sqlite3_index_info *info, int parameter) {
    for (int index = 0; index < info->nConstraint; index++) {
        if (info->aConstraint[index].iColumn != parameter) continue;
        if (!info->aConstraint[index].usable) return SQLITE_CONSTRAINT;
        info->aConstraintUsage[index].argvIndex = 1;
        info->aConstraintUsage[index].omit = 1;
        info->estimatedCost = 1;
        info->estimatedRows = 100;
        return SQLITE_OK;
    }
    return SQLITE_CONSTRAINT;
}

static int open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
    struct cursor *made = calloc(1, sizeof(struct cursor));
    *cursor = (sqlite3_vtab_cursor *)made;
    return made ? SQLITE_OK : SQLITE_NOMEM;
}

static int close(sqlite3_vtab_cursor *cursor) {
    free(cursor);
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor) {
    ((struct cursor *)cursor)->index++;
    return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *cursor) {
    return ((struct cursor *)cursor)->index >= ((struct cursor *)cursor)->count;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id) {
    *id = ((struct cursor *)cursor)->index + 1;
    return SQLITE_OK;
}

// integers(?)

static int integers_plan(sqlite3_vtab *table, sqlite3_index_info *info) { return plan(info, 1); }

static int integers_filter(sqlite3_vtab_cursor *base, int plan, const char *note, int count, sqlite3_value **values) {
    struct cursor *cursor = (struct cursor *)base;
    struct cintegers *integers = sqlite3_value_pointer(values[0], "integers");
    cursor->index = 0;
    cursor->count = integers ? integers->count : 0;
    cursor->values = integers ? integers->values : 0;
    return SQLITE_OK;
}

static int integers_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
    struct cursor *cursor = (struct cursor *)base;
    if (column == 0) sqlite3_result_int64(context, cursor->values[cursor->index]);
    return SQLITE_OK;
}

static sqlite3_module integers = {
    .xConnect = connect, .xDisconnect = disconnect, .xBestIndex = integers_plan, .xOpen = open, .xClose = close,
    .xFilter = integers_filter, .xNext = next, .xEof = is_at_end, .xColumn = integers_column, .xRowid = row_id,
};

int cintegers_add(sqlite3 *database) {
    return sqlite3_create_module_v2(
        database, "integers", &integers, "CREATE TABLE x(value INTEGER, list HIDDEN)", 0);
}

int cintegers_bind(sqlite3_stmt *statement, int index, struct cintegers *list) {
    return sqlite3_bind_pointer(statement, index, list, "integers", 0);
}

// series(count)

static int series_plan(sqlite3_vtab *table, sqlite3_index_info *info) { return plan(info, 2); }

static int series_filter(sqlite3_vtab_cursor *base, int plan, const char *note, int count, sqlite3_value **values) {
    struct cursor *cursor = (struct cursor *)base;
    cursor->index = 0;
    cursor->count = sqlite3_value_int64(values[0]);
    return SQLITE_OK;
}

static int series_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
    struct cursor *cursor = (struct cursor *)base;
    switch (column) {
    case 0: sqlite3_result_int64(context, cursor->index + 1); break;
    case 1: sqlite3_result_double(context, (double)(cursor->index + 1) / 2); break;
    default: sqlite3_result_int64(context, cursor->count);
    }
    return SQLITE_OK;
}

static sqlite3_module series = {
    .xConnect = connect, .xDisconnect = disconnect, .xBestIndex = series_plan, .xOpen = open, .xClose = close,
    .xFilter = series_filter, .xNext = next, .xEof = is_at_end, .xColumn = series_column, .xRowid = row_id,
};

int cseries_add(sqlite3 *database) {
    return sqlite3_create_module_v2(
        database, "series", &series, "CREATE TABLE x(n INTEGER, half REAL, count HIDDEN)", 0);
}
