import SquallSQLite

// The C functions of modules that SQLite calls. SQLite keeps a module while a table of it is open, a table while a cursor of it is, and
// calls nothing of a cursor after it has closed it: no object is retained for a call.

private typealias TablePointer = UnsafeMutablePointer<sqlite3_vtab>
private typealias CursorPointer = UnsafeMutablePointer<sqlite3_vtab_cursor>
private typealias Values = UnsafeMutablePointer<OpaquePointer?>

// MARK: - Access to the objects

@inline(__always)
private func withOpenTable(_ pointer: TablePointer?, _ body: (OpenTable, inout sqlite3_vtab) throws -> Int32) rethrows
    -> Int32
{
    guard let pointer,
        let table = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: squall_vtab.self).pointee.table
    else { return SQLITE_INTERNAL }
    return try Unmanaged<OpenTable>.fromOpaque(table)._withUnsafeGuaranteedRef { try body($0, &pointer.pointee) }
}

/// Calls user code of a table.
@inline(__always)
private func call(_ pointer: TablePointer?, _ body: (OpenTable) throws -> Int32) -> Int32 {
    withOpenTable(pointer) { table, base in table.module.run(&base.zErrMsg) { try body(table) } }
}

/// Calls user code of a table that cannot use the connection. SQLite passes on the code of its error, but not the message.
private func callWithoutConnection(_ pointer: TablePointer?, _ body: (OpenTable) throws -> Void) -> Int32 {
    withOpenTable(pointer) { table, _ in
        table.module.runWithoutConnection {
            try body(table)
            return SQLITE_OK
        } report: {
            table.module.callbacks.keep($0)
        }
    }
}

/// Plans a statement. SQLite passes on the message of an error, but not its code, and takes some codes for requests.
private func plan(_ pointer: TablePointer?, _ info: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
    guard let info else { return SQLITE_INTERNAL }
    return withOpenTable(pointer) { table, base in
        table.module.runWithoutConnection {
            try table.table.plan(info, of: table.name)
        } report: {
            _ = table.module.report($0, &base.zErrMsg)
            return SQLITE_ERROR
        }
    }
}

/// Calls user code of a cursor.
@inline(__always)
private func call(
    _ pointer: CursorPointer?, _ body: (CursorBox, UnsafeMutablePointer<squall_cursor>) throws -> Int32
) -> Int32 {
    guard let pointer else { return SQLITE_INTERNAL }
    let memory = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: squall_cursor.self)
    guard let cursor = memory.pointee.cursor, let table = pointer.pointee.pVtab else { return SQLITE_INTERNAL }
    return Unmanaged<CursorBox>.fromOpaque(cursor)._withUnsafeGuaranteedRef { cursor in
        cursor.callbacks.run(nesting: cursor.nestingMessage) {
            try body(cursor, memory)
        } report: {
            cursor.table.module.report($0, &table.pointee.zErrMsg)
        }
    }
}

// MARK: - Making tables

private typealias Arguments = UnsafePointer<UnsafePointer<CChar>?>

private func open(
    _ handle: OpaquePointer?, _ module: UnsafeMutableRawPointer?, _ count: Int32, _ arguments: Arguments?,
    _ table: UnsafeMutablePointer<TablePointer?>?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    isCreation: Bool
) -> Int32 {
    guard let handle, let module, let table, let message else { return SQLITE_INTERNAL }
    let box = Unmanaged<ModuleBox>.fromOpaque(module).takeUnretainedValue()
    let texts = (0..<Int(count)).map { arguments?[$0].map { String(cString: $0) } ?? "" }
    return box.run(&message.pointee) {
        let given = TableArguments(
            module: texts[0], database: texts[1], table: texts[2], values: Array(texts.dropFirst(3)),
            isCreation: isCreation)
        if box.use == .eponymous, given.table != given.module || given.database != "main" || !given.values.isEmpty {
            // The schema of a file can have such a table, which no statement of SQLite has created.
            throw SQLiteError(code: SQLITE_ERROR, message: "no such module: \(given.module)")
        }
        let isCreated = isCreation || isBeingCreated(given, on: handle)
        let made = try box.callbacks.makingTable(isCreation: isCreated) { try box.make(given) }
        // A rollback in the closure has freed the table that SQLite declares.
        try box.checkStatement()
        if let risk = box.risk { squall_vtab_config(handle, risk) }
        if made.writable != nil { squall_vtab_config(handle, SQLITE_VTAB_CONSTRAINT_SUPPORT) }
        let code = sqlite3_declare_vtab(handle, made.definition)
        if code != SQLITE_OK { throw SQLiteError(code, on: handle, sql: made.definition) }
        // SQLite does not release a table after an error.
        try box.checkStatement()
        let memory = UnsafeMutablePointer<squall_vtab>.allocate(capacity: 1)
        memory.initialize(to: squall_vtab())
        memory.pointee.table = OpenTable(module: box, table: made, name: given.table).retained()
        table.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }
}

/// Whether a statement that is running creates a table: a module of the use ``ModuleUse/any`` has one function for creating and connecting.
private func isBeingCreated(_ table: TableArguments, on handle: OpaquePointer) -> Bool {
    var next = sqlite3_next_stmt(handle, nil)
    while let statement = next {
        if sqlite3_stmt_busy(statement) != 0, creates(table, statement) { return true }
        next = sqlite3_next_stmt(handle, statement)
    }
    return false
}

/// Whether a statement is `CREATE VIRTUAL TABLE` for a table.
private func creates(_ table: TableArguments, _ statement: OpaquePointer) -> Bool {
    guard StatementVerb(beginning: sqlite3_sql(statement)) == .create,
        let creation = StatementFacts(of: statement)?.creation, creation.isVirtual
    else { return false }
    return creation.name == Identifier(table.table) && creation.database ?? "main" == Identifier(table.database)
}

private func disconnect(_ pointer: TablePointer?) -> Int32 {
    guard let pointer else { return SQLITE_OK }
    let memory = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: squall_vtab.self)
    KeptObject.release(memory.pointee.table)
    sqlite3_free(pointer.pointee.zErrMsg)
    memory.deallocate()
    return SQLITE_OK
}

private func destroy(_ pointer: TablePointer?) -> Int32 {
    let code = callWithoutConnection(pointer) { try $0.table.drop() }
    return code == SQLITE_OK ? disconnect(pointer) : code
}

// MARK: - Scans

private func openCursor(_ pointer: TablePointer?, _ cursor: UnsafeMutablePointer<CursorPointer?>?) -> Int32 {
    call(pointer) { table in
        try table.module.checkStatement()
        let memory = UnsafeMutablePointer<squall_cursor>.allocate(capacity: 1)
        memory.initialize(to: squall_cursor())
        memory.pointee.cursor = CursorBox(of: table).retained()
        cursor?.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }
}

private func closeCursor(_ pointer: CursorPointer?) -> Int32 {
    guard let pointer else { return SQLITE_OK }
    let memory = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: squall_cursor.self)
    KeptObject.release(memory.pointee.cursor)
    memory.deallocate()
    return SQLITE_OK
}

private func filter(
    _ pointer: CursorPointer?, _ plan: Int32, _ note: UnsafePointer<CChar>?, _ count: Int32, _ values: Values?
) -> Int32 {
    call(pointer) { cursor, memory in
        guard let note else { return SQLITE_INTERNAL }
        memory.pointee.row = nil
        let layout = ScanLayout(after: note)
        let scan = VirtualTableScan(
            plan: Int(plan), note: note, layout: layout, values: values, columns: cursor.table.table.columns,
            table: cursor.table.name)
        memory.pointee.row = try cursor.begin(scan, layout)
        return SQLITE_OK
    }
}

private func next(_ pointer: CursorPointer?) -> Int32 {
    call(pointer) { cursor, memory in
        // No row is left after an error.
        memory.pointee.row = nil
        memory.pointee.row = try cursor.advance()
        return SQLITE_OK
    }
}

private func isAtEnd(_ pointer: CursorPointer?) -> Int32 {
    guard let pointer else { return 1 }
    return UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: squall_cursor.self).pointee.row == nil ? 1 : 0
}

private func column(_ pointer: CursorPointer?, _ context: OpaquePointer?, _ index: Int32) -> Int32 {
    guard let context else { return SQLITE_INTERNAL }
    return call(pointer) { cursor, memory in
        if let row = memory.pointee.row { try cursor.column(Int(index), of: row, to: context) }
        return SQLITE_OK
    }
}

private func rowID(_ pointer: CursorPointer?, _ rowID: UnsafeMutablePointer<sqlite3_int64>?) -> Int32 {
    call(pointer) { cursor, _ in
        rowID?.pointee = try cursor.identity()
        return SQLITE_OK
    }
}

// MARK: - Changes

private func update(
    _ pointer: TablePointer?, _ count: Int32, _ values: Values?, _ rowID: UnsafeMutablePointer<sqlite3_int64>?
) -> Int32 {
    withOpenTable(pointer) { table, base in
        table.module.run(&base.zErrMsg) {
            guard let writable = table.table.writable, let first = values?[0] else { return SQLITE_READONLY }
            let old = sqlite3_value_type(first) == SQLITE_NULL ? nil : sqlite3_value_int64(first)
            guard count > 1, let values else {
                if let old { try writable.delete(old) }
                return SQLITE_OK
            }
            for parameter in table.table.columns.valueCount..<table.table.columns.names.count where old == nil {
                guard let value = values[2 + parameter], sqlite3_value_type(value) != SQLITE_NULL else { continue }
                throw SQLiteError(
                    code: SQLITE_ERROR,
                    message:
                        "\(table.table.columns.names[parameter]) is a parameter of \(table.name), which cannot be stored"
                )
            }
            let row = WrittenRow(
                handle: table.module.handle, values: values, columns: table.table.columns, table: table.name)
            if let old {
                try writable.update(old, row)
            } else {
                rowID?.pointee = try writable.insert(row)
            }
            return SQLITE_OK
        }
    }
}

private func callWritable(_ pointer: TablePointer?, _ body: (any WritableTableSource) throws -> Void) -> Int32 {
    callWithoutConnection(pointer) { if let writable = $0.table.writable { try body(writable) } }
}

// MARK: - Modules

/// The functions of each kind of module. They live as long as the program: SQLite keeps pointers to them.
enum ModuleFunctions {
    // SQLite only reads them.
    nonisolated(unsafe) private static let reading = table(isWritable: false)
    nonisolated(unsafe) private static let writing = table(isWritable: true)

    static func of(_ use: ModuleUse, isWritable: Bool) -> UnsafePointer<sqlite3_module> {
        let functions = isWritable ? writing : reading
        return switch use {
        case .any: functions.any
        case .eponymous: functions.eponymous
        case .created: functions.created
        }
    }

    private struct Kinds {
        let any, eponymous, created: UnsafePointer<sqlite3_module>
    }

    private static func table(isWritable: Bool) -> Kinds {
        var module = sqlite3_module()
        module.iVersion = 2
        module.xConnect = { open($0, $1, $2, $3, $4, $5, isCreation: false) }
        module.xBestIndex = plan
        module.xDisconnect = disconnect
        module.xDestroy = disconnect
        module.xOpen = openCursor
        module.xClose = closeCursor
        module.xFilter = filter
        module.xNext = next
        module.xEof = isAtEnd
        module.xColumn = column
        module.xRowid = rowID
        if isWritable {
            module.xUpdate = update
            module.xBegin = { callWritable($0) { try $0.begin() } }
            module.xSync = { callWritable($0) { try $0.sync() } }
            module.xCommit = { callWritable($0) { $0.commit() } }
            module.xRollback = { callWritable($0) { $0.rollBack() } }
            // SQLite's savepoints begin with 0, and -1 is the one that is the transaction.
            module.xSavepoint = { pointer, level in callWritable(pointer) { try $0.savepoint(Int(level) + 1) } }
            module.xRelease = { pointer, level in callWritable(pointer) { $0.release(Int(level) + 1) } }
            module.xRollbackTo = { pointer, level in callWritable(pointer) { $0.rollBack(to: Int(level) + 1) } }
        }
        // A table without a function for creating it is used only by the name of its module. One with the same function for both is
        // used by name as well.
        let eponymous = copy(module)
        module.xCreate = { open($0, $1, $2, $3, $4, $5, isCreation: true) }
        module.xDestroy = destroy
        let created = copy(module)
        module.xConnect = { open($0, $1, $2, $3, $4, $5, isCreation: false) }
        module.xCreate = module.xConnect
        return Kinds(any: copy(module), eponymous: eponymous, created: created)
    }

    private static func copy(_ module: sqlite3_module) -> UnsafePointer<sqlite3_module> {
        let copy = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        copy.initialize(to: module)
        return UnsafePointer(copy)
    }
}
