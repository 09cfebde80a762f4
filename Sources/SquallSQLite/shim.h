// The parts of SQLite's C interface that Swift cannot call: cast macros, variadic functions, and functions that SQLite may have
// been built without. Those are declared weak: their address is 0 where the library that runs does not have them, whatever
// the library that the program was linked with has.

#ifndef SQUALL_SHIM_H
#define SQUALL_SHIM_H

#ifndef SQLITE_ENABLE_PREUPDATE_HOOK
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif
// System headers, so that Swift files need not import the C library of each platform.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <sqlite3.h>

#if SQLITE_VERSION_NUMBER < 3040001
#error "Squall requires SQLite 3.40.1 or later"
#endif

// errno is a macro that Swift imports only with the module of the C library.
static inline int squall_errno(void) { return errno; }

// The types of the constants in sys/stat.h differ between platforms.
static inline int squall_is_directory(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// Reads, sets and clears bits that several threads use. On x86 and arm64, reading them is an ordinary load.
static inline unsigned squall_bits(const unsigned *bits) { return __atomic_load_n(bits, __ATOMIC_RELAXED); }
static inline void squall_set_bits(unsigned *bits, unsigned mask) { __atomic_fetch_or(bits, mask, __ATOMIC_SEQ_CST); }
static inline void squall_clear_bits(unsigned *bits, unsigned mask) { __atomic_fetch_and(bits, ~mask, __ATOMIC_SEQ_CST); }

// Binds text that SQLite copies before the call returns. SQLITE_TRANSIENT is a cast, which Swift does not import.
static inline int squall_bind_text(sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Binds text that stays in place until the statement is bound again (SQLITE_STATIC).
static inline int squall_bind_static_text(sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)text, count, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int squall_bind_static_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

static inline int squall_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Sets the result of a function, which SQLite copies before the call returns. Text without bytes is empty, not NULL.
//
// SQLite has a NUL after a text only where it got it with one, and otherwise allocates memory once more when the text is read.
static inline void squall_result_text(sqlite3_context *context, const void *text, sqlite3_uint64 count) {
    char terminated[128];
    if (count > 0 && count < sizeof(terminated) && !memchr(text, 0, count)) {
        memcpy(terminated, text, count);
        terminated[count] = 0;
        return sqlite3_result_text(context, terminated, -1, SQLITE_TRANSIENT);
    }
    sqlite3_result_text64(context, text ? (const char *)text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void squall_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_blob64(context, bytes, count, SQLITE_TRANSIENT);
}

// The pre-update hook. SQLite may have been built without it. The options that Apple publishes for its library include it, and its headers
// do not declare it.
extern __attribute__((weak)) void *sqlite3_preupdate_hook(
    sqlite3 *, void (*)(void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64), void *);
extern __attribute__((weak)) int sqlite3_preupdate_old(sqlite3 *, int, sqlite3_value **);
extern __attribute__((weak)) int sqlite3_preupdate_new(sqlite3 *, int, sqlite3_value **);
extern __attribute__((weak)) int sqlite3_preupdate_count(sqlite3 *);
extern __attribute__((weak)) int sqlite3_preupdate_depth(sqlite3 *);
extern __attribute__((weak)) int sqlite3_preupdate_blobwrite(sqlite3 *);

static inline int squall_has_preupdate(void) { return &sqlite3_preupdate_hook != 0; }

static inline void squall_preupdate_hook(
    sqlite3 *database,
    void (*hook)(void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64), void *context) {
    sqlite3_preupdate_hook(database, hook, context);
}

static inline int squall_preupdate_old(sqlite3 *database, int column, sqlite3_value **value) {
    return sqlite3_preupdate_old(database, column, value);
}

static inline int squall_preupdate_new(sqlite3 *database, int column, sqlite3_value **value) {
    return sqlite3_preupdate_new(database, column, value);
}

static inline int squall_preupdate_count(sqlite3 *database) { return sqlite3_preupdate_count(database); }
static inline int squall_preupdate_depth(sqlite3 *database) { return sqlite3_preupdate_depth(database); }
// The column that an incremental blob is written to, and -1 for another change.
static inline int squall_preupdate_blobwrite(sqlite3 *database) { return sqlite3_preupdate_blobwrite(database); }

// The report of the pre-update hook for a column that a row does not have, because it was added after the row.
typedef struct squall_added_columns {
    // One NULL for all columns, rows and connections, which is never that of a column that the row has. 0 if the hook reports the default
    // of the column, as newer versions do. The value is compared, and not read.
    sqlite3_value *missing;
    // Whether the default 1 of a REAL column is reported as an integer.
    int has_integers;
} squall_added_columns;

static inline void squall_read_added_columns(
    void *context, sqlite3 *database, int change, char const *name, char const *table, sqlite3_int64 old_row,
    sqlite3_int64 new_row) {
    squall_added_columns *found = (squall_added_columns *)context;
    sqlite3_value *value = 0, *other = 0;
    if (change != SQLITE_UPDATE || sqlite3_preupdate_old(database, 1, &value) != SQLITE_OK) return;
    found->has_integers = sqlite3_value_type(value) == SQLITE_INTEGER;
    if (sqlite3_value_type(value) != SQLITE_NULL) return;
    if (sqlite3_preupdate_old(database, 2, &other) == SQLITE_OK && other == value) found->missing = value;
}

static inline squall_added_columns squall_find_added_columns(void) {
    squall_added_columns found = {0, 0};
    sqlite3 *database = 0;
    if (!squall_has_preupdate()) return found;
    if (sqlite3_open(":memory:", &database) == SQLITE_OK) {
        sqlite3_preupdate_hook(database, squall_read_added_columns, &found);
        sqlite3_exec(
            database,
            "CREATE TABLE t(a); INSERT INTO t VALUES(1); ALTER TABLE t ADD COLUMN b REAL DEFAULT 1;"
            "ALTER TABLE t ADD COLUMN c REAL DEFAULT 1; UPDATE t SET a = 2",
            0, 0, 0);
        sqlite3_preupdate_hook(database, 0, 0);
    }
    sqlite3_close(database);
    return found;
}

// Returns the first page of the index of the write-ahead log, which is shared memory, if there is one.
static inline int squall_map_index(sqlite3_file *file, void **memory) {
    *memory = 0;
    if (file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return SQLITE_NOTFOUND;
    return file->pMethods->xShmMap(file, 0, 32768, 0, (void volatile **)memory);
}

// The begin of the index of a write-ahead log, which SQLite's walformat.html describes: two copies of the header, and the
// number of frames that a checkpoint has copied into the file.
typedef struct {
    unsigned version, unused, change;
    unsigned char is_initialized, is_big_endian;
    unsigned short page_size;
    unsigned frames, pages, frame_checksum[2], salt[2], checksum[2];
} squall_log_header;

typedef struct {
    squall_log_header header[2];
    unsigned copied_frames, always_zero;
} squall_log_state;

#define SQUALL_LOG_WORDS (sizeof(squall_log_state) / sizeof(unsigned long long))

// Copies the state from the index, which other processes change, word by word in this order. What is read after the call is
// as new, or newer.
static inline void squall_read_log_state(const void *index, squall_log_state *state) {
    const unsigned long long *now = (const unsigned long long *)index;
    unsigned long long words[SQUALL_LOG_WORDS];
    for (unsigned i = 0; i < SQUALL_LOG_WORDS; i++) words[i] = __atomic_load_n(now + i, __ATOMIC_ACQUIRE);
    memcpy(state, words, sizeof(words));
}

// Whether the index still has this state.
static inline int squall_is_log_state(const void *index, const squall_log_state *state) {
    const unsigned long long *now = (const unsigned long long *)index;
    unsigned long long words[SQUALL_LOG_WORDS], difference = 0;
    memcpy(words, state, sizeof(words));
    for (unsigned i = 0; i < SQUALL_LOG_WORDS; i++) difference |= words[i] ^ __atomic_load_n(now + i, __ATOMIC_ACQUIRE);
    return difference == 0;
}

// Whether both copies of the header are the same, initialised, and of the version that is described.
static inline int squall_is_usable_log_state(const squall_log_state *state) {
    return state->header[0].version == 3007000 && state->header[0].is_initialized &&
        memcmp(&state->header[0], &state->header[1], sizeof(state->header[0])) == 0;
}

// Sets one of the on/off options of sqlite3_db_config, which is variadic.
static inline int squall_set_option(sqlite3 *database, int option, int isOn) {
    return sqlite3_db_config(database, option, isOn, (int *)0);
}

// Returns whether one of these options is on.
static inline int squall_option(sqlite3 *database, int option) {
    int isOn = 0;
    sqlite3_db_config(database, option, -1, &isOn);
    return isOn;
}

// Sets whether SQLite counts the memory that it uses. sqlite3_config is variadic.
static inline int squall_count_memory(int isOn) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, isOn); }

static inline int squall_log_errors(void (*observer)(void *, int, const char *), void *context) {
    return sqlite3_config(SQLITE_CONFIG_LOG, observer, context);
}

// Sets a limit. sqlite3_limit returns the earlier value, not a result code.
static inline int squall_limit(sqlite3 *database, int limit, int value) {
    sqlite3_limit(database, limit, value);
    return SQLITE_OK;
}

// Serialization, which a build of SQLite can leave out.
extern __attribute__((weak)) unsigned char *sqlite3_serialize(sqlite3 *, const char *, sqlite3_int64 *, unsigned int);
extern __attribute__((weak)) int sqlite3_deserialize(
    sqlite3 *, const char *, unsigned char *, sqlite3_int64, sqlite3_int64, unsigned int);

static inline int squall_has_serialize(void) {
    return &sqlite3_serialize != 0 && &sqlite3_deserialize != 0;
}

// Loading extensions. Apple's SQLite does not export this function, and its linker refuses a symbol that no library exports, also a
// weak one: there, the function is looked up while the program runs.
typedef int (*squall_extension_loader)(sqlite3 *, const char *, const char *, char **);
#ifdef __APPLE__
static inline squall_extension_loader squall_find_extension_loader(void) {
    return (squall_extension_loader)dlsym(RTLD_DEFAULT, "sqlite3_load_extension");
}
#else
extern __attribute__((weak)) int sqlite3_load_extension(sqlite3 *, const char *, const char *, char **);
static inline squall_extension_loader squall_find_extension_loader(void) { return sqlite3_load_extension; }
#endif

static inline int squall_has_load_extension(void) { return squall_find_extension_loader() != 0; }

static inline int squall_load_extension(sqlite3 *database, const char *path, const char *entry_point, char **message) {
    return squall_find_extension_loader()(database, path, entry_point, message);
}

// Functions of the program for connections that are opened later. Apple's SQLite has functions that fail.
extern __attribute__((weak)) int sqlite3_auto_extension(void (*)(void));
extern __attribute__((weak)) int sqlite3_cancel_auto_extension(void (*)(void));

// SQLite's declaration of an entry point has no parameters, but SQLite calls it with these three.
typedef int (*squall_entry_point)(sqlite3 *, char **, const struct sqlite3_api_routines *);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static inline int squall_has_auto_extension(void) {
    return &sqlite3_auto_extension != 0 && &sqlite3_cancel_auto_extension != 0;
}

static inline int squall_auto_extension(squall_entry_point function) {
    return sqlite3_auto_extension((void (*)(void))function);
}

static inline int squall_cancel_auto_extension(squall_entry_point function) {
    return sqlite3_cancel_auto_extension((void (*)(void))function);
}
#pragma GCC diagnostic pop

// R*Tree, which a build of SQLite can leave out.
extern __attribute__((weak)) int sqlite3_rtree_query_callback(
    sqlite3 *, const char *, int (*)(sqlite3_rtree_query_info *), void *, void (*)(void *));

static inline int squall_has_rtree(void) { return &sqlite3_rtree_query_callback != 0; }

// Opens a library as SQLite does.
static inline void *squall_open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_GLOBAL); }

// A virtual table that is written in Swift, and a cursor of it: SQLite's part, and the Swift object. SQLite checks for the end
// after each row, which therefore is not a call of Swift.
typedef struct {
    sqlite3_vtab base;
    void *table;
} squall_vtab;

typedef struct {
    sqlite3_vtab_cursor base;
    void *cursor;
    // The row, where the cursor has one.
    const void *row;
} squall_cursor;

// An element of an array that is a table of SQL: the type SQLITE_INTEGER, and its value; SQLITE_FLOAT, and its bits; SQLITE_TEXT
// or SQLITE_BLOB, and where its bytes are; or SQLITE_NULL.
typedef struct {
    sqlite3_int64 bits;
    unsigned count;
    int type;
} squall_element;

// An array that a statement is bound to. SQLite calls `release` with it when the statement is bound again or finalised.
typedef struct {
    const squall_element *elements;
    const char *bytes;
    sqlite3_int64 count;
    // The object that owns the memory.
    void *owner;
} squall_array;

typedef struct {
    sqlite3_vtab_cursor base;
    const squall_array *array;
    sqlite3_int64 index;
} squall_array_cursor;

#define SQUALL_ARRAY_POINTER "squall array"

static inline int squall_bind_array(sqlite3_stmt *statement, int index, squall_array *array, void (*release)(void *)) {
    return sqlite3_bind_pointer(statement, index, array, SQUALL_ARRAY_POINTER, release);
}

static inline squall_array *squall_value_array(sqlite3_value *value) {
    return (squall_array *)sqlite3_value_pointer(value, SQUALL_ARRAY_POINTER);
}

// Sets a text or blob as the value of a column. The bytes stay in place while the statement runs.
static inline void squall_result_static(sqlite3_context *context, const char *bytes, unsigned count, int isText) {
    if (isText) {
        sqlite3_result_text64(context, bytes, count, SQLITE_STATIC, SQLITE_UTF8);
    } else {
        sqlite3_result_blob64(context, bytes, count, SQLITE_STATIC);
    }
}

// Sets an option of the virtual table that is being made: SQLITE_VTAB_CONSTRAINT_SUPPORT, SQLITE_VTAB_DIRECTONLY or
// SQLITE_VTAB_INNOCUOUS. sqlite3_vtab_config is variadic.
static inline int squall_vtab_config(sqlite3 *database, int option) {
    return option == SQLITE_VTAB_CONSTRAINT_SUPPORT ? sqlite3_vtab_config(database, option, 1)
                                                    : sqlite3_vtab_config(database, option);
}

// Sets `api` to the interface of FTS5, which SQLite may have been built without. FTS5 passes it through a pointer value.
static inline int squall_search_api(sqlite3 *database, fts5_api **api) {
    sqlite3_stmt *statement = 0;
    *api = 0;
    int code = sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, 0);
    if (code != SQLITE_OK) return code;
    sqlite3_bind_pointer(statement, 1, (void *)api, "fts5_api_ptr", 0);
    sqlite3_step(statement);
    return sqlite3_finalize(statement);
}

// A function that virtual tables implement, called without one.
static inline void squall_wrong_context(sqlite3_context *context, int count, sqlite3_value **values) {
    char *message = sqlite3_mprintf(
        "unable to use function %s in the requested context", (const char *)sqlite3_user_data(context));
    sqlite3_result_error(context, message, -1);
    sqlite3_free(message);
}

// Lets views and triggers search, also in a schema that is not trusted. FTS5 and R*Tree tables are innocuous since SQLite 3.44, but
// MATCH and the functions of FTS5 are not: SQLite adds them as if the program had.
static inline int squall_allow_search_in_schema(sqlite3 *database) {
    const struct {
        const char *name;
        int count, is_of_fts5;
    } functions[] = {{"MATCH", 2, 0}, {"highlight", -1, 1}, {"snippet", -1, 1}, {"bm25", -1, 1}};
    int code = SQLITE_OK, has_fts5 = sqlite3_compileoption_used("ENABLE_FTS5");
    for (int i = 0; i < 4 && code == SQLITE_OK; i++) {
        if (functions[i].is_of_fts5 && !has_fts5) continue;
        code = sqlite3_create_function_v2(
            database, functions[i].name, functions[i].count, SQLITE_UTF8 | SQLITE_INNOCUOUS, (void *)functions[i].name,
            squall_wrong_context, 0, 0, 0);
    }
    return code;
}

#endif
