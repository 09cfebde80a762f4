import SquallSQLite

// `@inlinable`, so that the module that registers a table compiles its cursors for its types.

extension Connection {
    /// Makes a type available as virtual tables: by the name of the module, or by `CREATE VIRTUAL TABLE … USING name(…)`.
    ///
    ///     try connection.register(Log.self, named: "log")
    ///     let sql: SQL = "SELECT text FROM log WHERE day = '2026-11-22'"
    ///     let lines: [String] = try connection.query(sql)
    ///
    /// It replaces a module of that name. Tables that SQL has created, and that the connection has used, stay what they are until it is
    /// closed. Names that begin with `squall_` are those of the library.
    ///
    /// - Parameters:
    ///   - type: The type of the table.
    ///   - name: The name of the module.
    ///   - use: How SQL uses the module.
    ///   - directOnly: Whether only statements of the program may use its tables. That excludes triggers and views, whose text is in the
    ///     file.
    ///   - innocuous: Whether its tables have no side effects and reveal no secrets. The schema of any file may then use them, even where
    ///     the schema is not trusted (``Configuration/recommended``), and `directOnly` has no effect.
    /// - Throws: ``SQLiteError``: `SQLITE_BUSY` (5) inside a function, a virtual table or a collation; `SQLITE_MISUSE` (21) for a name with
    ///   a NUL character.
    @inlinable
    public func register<Source: VirtualTable>(
        _ type: Source.Type, named name: String, use: ModuleUse = .any, directOnly: Bool = true, innocuous: Bool = false
    ) throws {
        try register(named: name, use: use, directOnly: directOnly, innocuous: innocuous) { try Source($0) }
    }

    /// Makes virtual tables available that a closure makes, which may capture what they need.
    ///
    ///     try connection.register(named: "log") { [store] _ in LogTable(store) }
    ///
    /// - Throws: As ``register(_:named:use:directOnly:innocuous:)``.
    @inlinable
    public func register<Source: TableSource>(
        named name: String, use: ModuleUse = .any, directOnly: Bool = true, innocuous: Bool = false,
        _ make: @escaping (TableArguments) throws -> Source
    ) throws {
        try addModule(
            name, use: use, isWritable: Source.self is any WritableTableSource.Type,
            risk: ModuleRisk(directOnly: directOnly, innocuous: innocuous)
        ) { arguments in
            let source = try make(arguments)
            return try TableBox(
                columns: source.columns, plan: { try source.plan($0) }, drop: { try source.drop() },
                writable: source as? any WritableTableSource
            ) {
                .rows(rowID: { source.rowID(of: $0) }) { try source.rows($0) }
            }
        }
    }

    /// Removes a module. Does nothing if it does not exist. Tables that were created with it, and that the connection has not used yet,
    /// cannot be used until it is registered again.
    ///
    /// - Throws: ``SQLiteError``: `SQLITE_BUSY` (5) inside a function, a virtual table or a collation; `SQLITE_MISUSE` (21) for a name with
    ///   a NUL character.
    public func removeModule(named name: String) throws {
        try checkModuleName(name)
        try change(name, .identifier) { sqlite3_create_module_v2($0, name, nil, nil, nil) }
        moduleNumbers.renew(name)
        evictStatements()
    }
}

/// Where SQL may use the tables of a module.
@usableFromInline
struct ModuleRisk {
    let option: Int32?

    @usableFromInline
    init(directOnly: Bool, innocuous: Bool) {
        option = innocuous ? SQLITE_VTAB_INNOCUOUS : directOnly ? SQLITE_VTAB_DIRECTONLY : nil
    }
}

/// A number for each module that has been registered, by its name. A module that replaces another has another number.
final class ModuleNumbers {
    private var numbers: [Identifier: Int] = [:]
    private var last = 0

    /// Returns the number of the module of a name; `nil` for a name that was neither registered nor removed.
    subscript(name: String) -> Int? { numbers[Identifier(name)] }

    func renew(_ name: String) {
        last += 1
        numbers[Identifier(name)] = last
    }
}

extension Connection {
    var moduleNumbers: ModuleNumbers { companion { ModuleNumbers() } }

    /// Throws for the names of the library's own modules.
    private func checkModuleName(_ name: String) throws {
        if Identifier(String(name.prefix(7))) == Identifier("squall_") {
            throw SQLiteError(code: SQLITE_MISUSE, message: "names that begin with squall_ are reserved")
        }
    }

    @usableFromInline
    func addModule(
        _ name: String, use: ModuleUse, isWritable: Bool, risk: ModuleRisk,
        make: @escaping (TableArguments) throws -> TableBox
    ) throws {
        try checkModuleName(name)
        let made = ModuleBox(name: name, use: use, connection: self, risk: risk.option, make: make)
        let functions = ModuleFunctions.of(use, isWritable: isWritable)
        try change(name, .identifier) { handle in
            made.handle = handle
            // If SQLite rejects the module, it releases the box itself.
            return sqlite3_create_module_v2(handle, name, functions, made.retained(), KeptObject.release)
        }
        moduleNumbers.renew(name)
        // A statement of the cache may use a table of a module of this name.
        evictStatements()
    }
}

/// How SQL uses a module of virtual tables.
public enum ModuleUse: Hashable, Sendable {
    /// By the name of the module, as a table without `CREATE` (SQLite calls it eponymous), and by `CREATE VIRTUAL TABLE`.
    case any
    /// Only by the name of the module.
    case eponymous
    /// Only by `CREATE VIRTUAL TABLE`.
    case created
}
