// Encryption of database files, which a build of SQLite can have: SQLCipher and SQLite3 Multiple Ciphers. SQLite's own headers do
// not declare it, and its library does not have it.

#ifndef SQUALL_ENCRYPTION_H
#define SQUALL_ENCRYPTION_H

#include "shim.h"

typedef int (*squall_key_function)(sqlite3 *, const char *, const void *, int);
typedef const char *(*squall_cipher_version)(void);

// Apple's linker refuses a symbol that no library exports, also a weak one.
#ifdef __APPLE__
static inline squall_key_function squall_find_key(void) {
    return (squall_key_function)dlsym(RTLD_DEFAULT, "sqlite3_key_v2");
}
static inline squall_key_function squall_find_rekey(void) {
    return (squall_key_function)dlsym(RTLD_DEFAULT, "sqlite3_rekey_v2");
}
static inline squall_cipher_version squall_find_multiple_ciphers(void) {
    return (squall_cipher_version)dlsym(RTLD_DEFAULT, "sqlite3mc_version");
}
#else
extern __attribute__((weak)) int sqlite3_key_v2(sqlite3 *, const char *, const void *, int);
extern __attribute__((weak)) int sqlite3_rekey_v2(sqlite3 *, const char *, const void *, int);
extern __attribute__((weak)) const char *sqlite3mc_version(void);
static inline squall_key_function squall_find_key(void) { return sqlite3_key_v2; }
static inline squall_key_function squall_find_rekey(void) { return sqlite3_rekey_v2; }
static inline squall_cipher_version squall_find_multiple_ciphers(void) { return sqlite3mc_version; }
#endif

// Gives a key to a database that nothing has been read from. Without the function, SQLITE_NOTFOUND.
static inline int squall_key(sqlite3 *database, const char *name, const void *key, int count) {
    squall_key_function function = squall_find_key();
    return function ? function(database, name, key, count) : SQLITE_NOTFOUND;
}

// Encrypts a database that is open with its key with another one. Without the function, SQLITE_NOTFOUND.
static inline int squall_rekey(sqlite3 *database, const char *name, const void *key, int count) {
    squall_key_function function = squall_find_rekey();
    return function ? function(database, name, key, count) : SQLITE_NOTFOUND;
}

// The version of SQLite3 Multiple Ciphers; 0 for another library.
static inline const char *squall_multiple_ciphers(void) {
    squall_cipher_version function = squall_find_multiple_ciphers();
    return function ? function() : 0;
}

// Overwrites memory that is not used afterwards. A compiler may leave out memset.
static inline void squall_wipe(void *memory, size_t count) {
    volatile unsigned char *bytes = (volatile unsigned char *)memory;
    while (count--) *bytes++ = 0;
}

// Reads the begin of a database file past the cache, and its size. Bytes that the file does not have are zeros.
static inline int squall_read_begin(sqlite3 *database, void *bytes, int count, sqlite3_int64 *size) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    code = file->pMethods->xFileSize(file, size);
    if (code != SQLITE_OK) return code;
    code = file->pMethods->xRead(file, bytes, count, 0);
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

#endif
