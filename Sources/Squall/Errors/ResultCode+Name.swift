extension ResultCode {
    /// The name of the code in SQLite's C interface, such as `SQLITE_BUSY_SNAPSHOT`. A code that is not in this list
    /// has the name of its primary code, followed by its number.
    public var name: String {
        guard let primaryName = Self.primaryNames[primary.rawValue] else { return "SQLite code \(rawValue)" }
        let number = Int(rawValue >> 8)
        if number == 0 { return "SQLITE_\(primaryName)" }
        guard let names = Self.extendedNames[primary], names.indices.contains(number - 1), let name = names[number - 1]
        else { return "SQLITE_\(primaryName), \(rawValue)" }
        return "SQLITE_\(primaryName)_\(name)"
    }

    private static let primaryNames: [Int32: String] = [
        0: "OK", 1: "ERROR", 2: "INTERNAL", 3: "PERM", 4: "ABORT", 5: "BUSY", 6: "LOCKED", 7: "NOMEM", 8: "READONLY",
        9: "INTERRUPT", 10: "IOERR", 11: "CORRUPT", 12: "NOTFOUND", 13: "FULL", 14: "CANTOPEN", 15: "PROTOCOL",
        16: "EMPTY", 17: "SCHEMA", 18: "TOOBIG", 19: "CONSTRAINT", 20: "MISMATCH", 21: "MISUSE", 22: "NOLFS",
        23: "AUTH", 24: "FORMAT", 25: "RANGE", 26: "NOTADB", 27: "NOTICE", 28: "WARNING", 100: "ROW", 101: "DONE",
    ]

    /// The second parts of the names of the extended codes. SQLite numbers extended codes from 1.
    private static let extendedNames: [ResultCode: [String?]] = [
        .error: ["MISSING_COLLSEQ", "RETRY", "SNAPSHOT"],
        .abort: [nil, "ROLLBACK"],
        .busy: ["RECOVERY", "SNAPSHOT", "TIMEOUT"],
        .locked: ["SHAREDCACHE", "VTAB"],
        .readOnly: ["RECOVERY", "CANTLOCK", "ROLLBACK", "DBMOVED", "CANTINIT", "DIRECTORY"],
        .ioError: [
            "READ", "SHORT_READ", "WRITE", "FSYNC", "DIR_FSYNC", "TRUNCATE", "FSTAT", "UNLOCK", "RDLOCK", "DELETE",
            "BLOCKED", "NOMEM", "ACCESS", "CHECKRESERVEDLOCK", "LOCK", "CLOSE", "DIR_CLOSE", "SHMOPEN", "SHMSIZE",
            "SHMLOCK", "SHMMAP", "SEEK", "DELETE_NOENT", "MMAP", "GETTEMPPATH", "CONVPATH", "VNODE", "AUTH",
            "BEGIN_ATOMIC", "COMMIT_ATOMIC", "ROLLBACK_ATOMIC", "DATA", "CORRUPTFS", "IN_PAGE",
        ],
        .corrupt: ["VTAB", "SEQUENCE", "INDEX"],
        .cantOpen: ["NOTEMPDIR", "ISDIR", "FULLPATH", "CONVPATH", "DIRTYWAL", "SYMLINK"],
        .constraint: [
            "CHECK", "COMMITHOOK", "FOREIGNKEY", "FUNCTION", "NOTNULL", "PRIMARYKEY", "TRIGGER", "UNIQUE", "VTAB",
            "ROWID", "PINNED", "DATATYPE",
        ],
        .authorizationDenied: ["USER"],
    ]
}
