// SQLite's session extension, which records changes and applies them elsewhere. SQLite may have been built without it, and
// headers of SQLite declare it only on demand. The options that Apple publishes for its library include it.

#ifndef SQUALL_SESSIONS_H
#define SQUALL_SESSIONS_H

#include "shim.h"

typedef struct sqlite3_session sqlite3_session;
typedef struct sqlite3_changeset_iter sqlite3_changeset_iter;
typedef struct sqlite3_changegroup sqlite3_changegroup;
typedef struct sqlite3_rebaser sqlite3_rebaser;

#define SQUALL_WEAK extern __attribute__((weak))
SQUALL_WEAK int sqlite3session_create(sqlite3 *, const char *, sqlite3_session **);
SQUALL_WEAK void sqlite3session_delete(sqlite3_session *);
SQUALL_WEAK int sqlite3session_attach(sqlite3_session *, const char *);
SQUALL_WEAK void sqlite3session_table_filter(sqlite3_session *, int (*)(void *, const char *), void *);
SQUALL_WEAK int sqlite3session_enable(sqlite3_session *, int);
SQUALL_WEAK int sqlite3session_indirect(sqlite3_session *, int);
SQUALL_WEAK int sqlite3session_isempty(sqlite3_session *);
SQUALL_WEAK sqlite3_int64 sqlite3session_memory_used(sqlite3_session *);
SQUALL_WEAK int sqlite3session_changeset(sqlite3_session *, int *, void **);
SQUALL_WEAK int sqlite3session_patchset(sqlite3_session *, int *, void **);
SQUALL_WEAK int sqlite3session_changeset_strm(
    sqlite3_session *, int (*)(void *, const void *, int), void *);
SQUALL_WEAK int sqlite3session_patchset_strm(
    sqlite3_session *, int (*)(void *, const void *, int), void *);
SQUALL_WEAK int sqlite3session_diff(sqlite3_session *, const char *, const char *, char **);
SQUALL_WEAK int sqlite3changeset_start_v2(sqlite3_changeset_iter **, int, void *, int);
SQUALL_WEAK int sqlite3changeset_start_v2_strm(
    sqlite3_changeset_iter **, int (*)(void *, void *, int *), void *, int);
SQUALL_WEAK int sqlite3changeset_next(sqlite3_changeset_iter *);
SQUALL_WEAK int sqlite3changeset_op(sqlite3_changeset_iter *, const char **, int *, int *, int *);
SQUALL_WEAK int sqlite3changeset_pk(sqlite3_changeset_iter *, unsigned char **, int *);
SQUALL_WEAK int sqlite3changeset_old(sqlite3_changeset_iter *, int, sqlite3_value **);
SQUALL_WEAK int sqlite3changeset_new(sqlite3_changeset_iter *, int, sqlite3_value **);
SQUALL_WEAK int sqlite3changeset_conflict(sqlite3_changeset_iter *, int, sqlite3_value **);
SQUALL_WEAK int sqlite3changeset_finalize(sqlite3_changeset_iter *);
SQUALL_WEAK int sqlite3changeset_invert(int, const void *, int *, void **);
SQUALL_WEAK int sqlite3changeset_invert_strm(
    int (*)(void *, void *, int *), void *, int (*)(void *, const void *, int), void *);
SQUALL_WEAK int sqlite3changegroup_new(sqlite3_changegroup **);
SQUALL_WEAK int sqlite3changegroup_add(sqlite3_changegroup *, int, void *);
SQUALL_WEAK int sqlite3changegroup_output(sqlite3_changegroup *, int *, void **);
SQUALL_WEAK void sqlite3changegroup_delete(sqlite3_changegroup *);
SQUALL_WEAK int sqlite3changeset_apply_v2(
    sqlite3 *, int, void *, int (*)(void *, const char *), int (*)(void *, int, sqlite3_changeset_iter *), void *,
    void **, int *, int);
SQUALL_WEAK int sqlite3changeset_apply_v2_strm(
    sqlite3 *, int (*)(void *, void *, int *), void *, int (*)(void *, const char *),
    int (*)(void *, int, sqlite3_changeset_iter *), void *, void **, int *, int);
SQUALL_WEAK int sqlite3rebaser_create(sqlite3_rebaser **);
SQUALL_WEAK int sqlite3rebaser_configure(sqlite3_rebaser *, int, const void *);
SQUALL_WEAK int sqlite3rebaser_rebase(sqlite3_rebaser *, int, const void *, int *, void **);
SQUALL_WEAK void sqlite3rebaser_delete(sqlite3_rebaser *);

#ifndef SQLITE_CHANGESET_DATA
#define SQLITE_CHANGESET_DATA 1
#define SQLITE_CHANGESET_NOTFOUND 2
#define SQLITE_CHANGESET_CONFLICT 3
#define SQLITE_CHANGESET_CONSTRAINT 4
#define SQLITE_CHANGESET_FOREIGN_KEY 5
#define SQLITE_CHANGESET_OMIT 0
#define SQLITE_CHANGESET_REPLACE 1
#define SQLITE_CHANGESET_ABORT 2
#define SQLITE_CHANGESETAPPLY_INVERT 2
#define SQLITE_CHANGESETSTART_INVERT 2
#endif
// A flag that SQLite 3.46 does not have, and ignores.
#ifndef SQLITE_CHANGESETAPPLY_NOUPDATELOOP
#define SQLITE_CHANGESETAPPLY_NOUPDATELOOP 16
#endif

typedef void (*squall_row_hook)(
    void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64);

static inline void squall_ignore_row(
    void *context, sqlite3 *database, int change, char const *name, char const *table, sqlite3_int64 old_row,
    sqlite3_int64 new_row) {}

// Returns the function with which a session receives the changes of rows, or 0.
//
// A session takes the pre-update hook of its connection, of which SQLite has only one. Other observers of rows can go on only if
// their own hook calls this function, which SQLite has no way to ask for. It is therefore read where SQLite keeps the hook: two
// neighbouring words of the memory of a connection, which are found by a hook and a context that are known. The memory that is
// searched is SQLite's allocation, of the size that SQLite reports. The answer is used only if the words are found once, if the
// context beside the function is then the session, and if a session that is called by it records a change.
static inline squall_row_hook squall_find_session_hook(void) {
    if (!&sqlite3session_create || !&sqlite3_preupdate_hook) return 0;
    sqlite3 *database = 0;
    sqlite3_session *session = 0;
    squall_row_hook found = 0;
    if (sqlite3_open(":memory:", &database) == SQLITE_OK) {
        const char *memory = (const char *)database;
        sqlite3_uint64 size = sqlite3_msize(database), place = 0;
        void *known[2] = {&place, (void *)squall_ignore_row}, *words[2] = {0, 0};
        int count = 0;
        sqlite3_preupdate_hook(database, squall_ignore_row, &place);
        for (sqlite3_uint64 at = 0; at + sizeof(known) <= size; at += sizeof(void *)) {
            if (memcmp(memory + at, known, sizeof(known)) == 0) {
                place = at;
                count++;
            }
        }
        sqlite3_preupdate_hook(database, 0, 0);
        if (count == 1 && sqlite3session_create(database, "main", &session) == SQLITE_OK) {
            memcpy(words, memory + place, sizeof(words));
            if (words[0] == (void *)session && words[1]) {
                squall_row_hook hook = (squall_row_hook)words[1];
                // Installed as a hook is elsewhere, it must record.
                sqlite3_preupdate_hook(database, hook, session);
                sqlite3session_attach(session, 0);
                sqlite3_exec(database, "CREATE TABLE t(a INTEGER PRIMARY KEY); INSERT INTO t VALUES(1)", 0, 0, 0);
                if (!sqlite3session_isempty(session)) found = hook;
            }
            sqlite3session_delete(session);
        }
    }
    sqlite3_close(database);
    return found;
}

// SQLite keeps the sessions of a connection as a list, whose first one is the context of the pre-update hook. These functions lend
// the hook to it, and leave the connection without one.

static inline int squall_session_create(
    sqlite3 *database, const char *name, squall_row_hook hook, void **sessions, sqlite3_session **session) {
    sqlite3_preupdate_hook(database, hook, *sessions);
    int code = sqlite3session_create(database, name, session);
    *sessions = sqlite3_preupdate_hook(database, 0, 0);
    return code;
}

static inline void squall_session_delete(
    sqlite3 *database, sqlite3_session *session, squall_row_hook hook, void **sessions) {
    sqlite3_preupdate_hook(database, hook, *sessions);
    sqlite3session_delete(session);
    *sessions = sqlite3_preupdate_hook(database, 0, 0);
}

#endif
