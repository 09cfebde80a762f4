import SquallSQLite

/// Records what the statements of a connection read while a closure is observed.
///
/// SQLite reports the tables and columns of a statement when it is prepared. A statement keeps its region until it is prepared
/// again.
final class RegionRecorder: ConnectionFollower {
    /// Reads as well while a closure is observed. The actions always: to stop following them would expire every cached statement.
    private(set) var events: FollowedEvents = .actions

    /// The region that the statements have read since ``begin(on:)``.
    private var region = Region()
    /// The columns that SQLite has reported and that are not in `region` yet.
    private var reads: [TableName: Set<Identifier>] = [:]
    /// Whether the recorder itself prepares a statement about a table.
    private var isAsking = false
    /// The column that SQLite has reported last for such a statement.
    private var askedColumn: Identifier?

    /// Stands for the database of a table that SQL names without it, where SQLite does not report it: `SELECT count(*) FROM cars`.
    private static let unknown: Identifier = ""

    func begin(on connection: Connection) {
        region = Region()
        reads = [:]
        events = [.actions, .reads]
        connection.followers.update()
    }

    func stop(on connection: Connection) {
        events = .actions
        connection.followers.update()
    }

    /// Returns what the statements have read since ``begin(on:)``.
    func end(on connection: Connection) -> Region {
        // Of statements that were prepared again when they began.
        if !reads.isEmpty { region.formUnion(takeReads(on: connection)) }
        return region
    }

    /// Adds what a statement reads.
    func willStart(_ statement: Statement, on connection: Connection) {
        let known = statement.region.flatMap { $0.isCurrent(for: statement) ? $0 : nil }
        let found = known ?? StatementRegion(region(of: statement, on: connection), of: statement)
        statement.region = found
        region.formUnion(found.limited(by: statement))
    }

    /// Adds a column that a statement reads which SQLite compiles again. The region of one that is being prepared is read when it begins.
    func willCompile(_ action: CompiledAction, on connection: Connection) {
        guard action.code == SQLITE_READ else { return }
        // SQLite also reports an empty name, because the rowid is not a column.
        if isAsking, let column = action.second, column.pointee != 0 {
            askedColumn = Identifier(String(cString: column))
        }
        guard events.contains(.reads), !isAsking, !connection.callbacks.pointee.isPreparing, let table = action.first
        else { return }
        let name = TableName(
            action.database.map { Identifier(String(cString: $0)) } ?? Self.unknown, Identifier(String(cString: table)))
        reads[name, default: []].insert(Identifier(action.second.map { String(cString: $0) } ?? ""))
    }

    func willRead(_ column: Identifier, of table: TableName) {
        reads[table, default: []].insert(column)
    }

    /// Returns the region of a statement. It is prepared a second time, so that SQLite reports what it reads.
    private func region(of statement: Statement, on connection: Connection) -> Region {
        let sql = sqlite3_sql(statement.handle)
        // A PRAGMA may take effect when it is prepared. None reads a table.
        guard let handle = connection.handle, statement.start.pragma == nil else { return Region() }
        let outer = reads
        reads = [:]
        var copy: OpaquePointer?
        let code = connection.internally(isHidden: true) { sqlite3_prepare_v3(handle, sql, -1, 0, &copy, nil) }
        sqlite3_finalize(copy)
        let found = takeReads(on: connection, sql: statement.sql)
        reads = outer
        return code == SQLITE_OK ? found : .everything
    }

    /// - Parameter sql: The statement; `nil` if it is not known.
    private func takeReads(on connection: Connection, sql: String? = nil) -> Region {
        defer { reads = [:] }
        isAsking = true
        defer { isAsking = false }
        guard let databases = connection.databaseNames else { return .everything }
        var region = Region()
        for (name, columns) in reads {
            for name in name.database == Self.unknown ? databases.map({ TableName($0, name.table) }) : [name] {
                region.insert(name, table(name, columns, on: connection))
            }
        }
        // SQLite does not report the columns by which USING and NATURAL join.
        let joinsByName =
            sql.map { $0.mayJoinByName || connection.mayReadViewThatJoinsByName($0, databases) } ?? true
        return joinsByName ? .everything : region
    }

    private func table(_ name: TableName, _ columns: Set<Identifier>, on connection: Connection) -> TableRegion {
        var region = connection.tableRegion(name, columns: columns)
        region.rowIDColumn = rowIDColumn(of: name, on: connection)
        return region
    }

    /// Returns the column that is another name of the rowid. SQLite reports it when a statement reads the rowid.
    private func rowIDColumn(of name: TableName, on connection: Connection) -> Identifier? {
        askedColumn = nil
        guard connection.canPrepare("SELECT rowid FROM \(name: name.database.spelling).\(name: name.table.spelling)")
        else { return nil }
        // A column of this name may be another name of the rowid, or hide it.
        return askedColumn == "rowid" ? nil : askedColumn
    }
}

extension Connection {
    /// Whether SQLite can prepare a statement, which does not run.
    fileprivate func canPrepare(_ sql: SQL) -> Bool {
        guard let handle else { return false }
        var statement: OpaquePointer?
        let code = internally(isHidden: true) { sqlite3_prepare_v2(handle, sql.text, -1, &statement, nil) }
        sqlite3_finalize(statement)
        return code == SQLITE_OK
    }

    /// The names of the databases; `nil` if SQLite does not list them.
    fileprivate var databaseNames: Set<Identifier>? {
        guard let databases = try? databases() else { return nil }
        return Set(databases.map { Identifier($0.name) }).union(["main", "temp"])
    }

    /// Whether SQL names a view, and any view joins by names. SQLite does not report a view of which nothing is read: `SELECT count(*) FROM v`.
    fileprivate func mayReadViewThatJoinsByName(_ text: String, _ databases: Set<Identifier>) -> Bool {
        // In SQL, quotes of a name are doubled.
        func unquoted(_ text: String) -> [UInt8] { text.utf8.filter { !"\"'`[]".utf8.contains($0) }.map(\.asciiFolded) }
        let text = unquoted(text)
        return databases.contains { database in
            guard let views = try? hiddenCatalog(of: database.spelling).entries(.view, by: .creation) else {
                return true
            }
            return views.contains { text.contains(unquoted($0.name)) }
                && views.contains { $0.sql?.mayJoinByName == true }
        }
    }
}

extension Connection {
    /// Returns the region of some columns of a table, or of the whole table for `nil`.
    ///
    /// - Parameter unknown: The columns for which a name stands that the table does not have. SQLite reports `rowid` to the
    ///   authorizer, which stands for none: it changes with the rows.
    func tableRegion(
        _ name: TableName, columns: Set<Identifier>?, unknown: ColumnMask = .none
    ) -> TableRegion {
        (try? readRegion(name, columns: columns, unknown: unknown)) ?? .everything
    }

    private func readRegion(
        _ name: TableName, columns: Set<Identifier>?, unknown: ColumnMask
    ) throws -> TableRegion {
        let catalog = try hiddenCatalog(of: name.database.spelling)
        var region = TableRegion(columns: columns == nil ? .all : .none)
        if let table = try catalog.entry(.table, named: name.table.spelling) {
            region.isVirtual = !table.isStored
            region.hasRowIDs = try table.sql?.mayHaveNoRowIDs != true || hasRowIDs(name, catalog)
        }
        if region.isVirtual { region.columns = .all }
        guard let columns, !region.isVirtual else { return region }
        try add(columns, of: name, unknown: unknown, to: &region, catalog)
        return region
    }

    /// Whether SQLite finds a rowid in a table, under a name that no column has.
    private func hasRowIDs(_ name: TableName, _ catalog: SchemaCatalog) throws -> Bool {
        let columns = try catalog.allColumns(ofTable: name.table.spelling).map(\.name)
        guard let rowID = String.rowIDName(besides: columns) else { return false }
        return canPrepare("SELECT \(raw: rowID) FROM \(name: name.database.spelling).\(name: name.table.spelling)")
    }

    private func add(
        _ columns: Set<Identifier>, of name: TableName, unknown: ColumnMask, to region: inout TableRegion,
        _ catalog: SchemaCatalog
    ) throws {
        var columns = columns
        // SQLite's pre-update hook counts the columns without generated ones that are not stored.
        var position = 0
        for column in try catalog.allColumns(ofTable: name.table.spelling) {
            let isComputed = column.storage == .computed
            // SQLite finds the rowid among the stored columns by its position in the table.
            if isComputed { region.isComparable = false }
            if column.defaultValue != nil { region.columnsWithDefault.formUnion(ColumnMask(column: position)) }
            if columns.remove(Identifier(column.name)) != nil {
                region.columns.formUnion(isComputed ? .all : ColumnMask(column: position))
            }
            if !isComputed { position += 1 }
        }
        if !columns.isEmpty { region.columns.formUnion(unknown) }
    }
}

extension String {
    /// Whether the text has a word with which SQL joins by the names of columns.
    fileprivate var mayJoinByName: Bool {
        let text = asciiFolded
        return text.contains("using") || text.contains("natural")
    }

    /// Whether the SQL of a table may say WITHOUT ROWID. The words may be anywhere in it.
    fileprivate var mayHaveNoRowIDs: Bool {
        let text = asciiFolded
        return text.contains("without") && text.contains("rowid")
    }
}
