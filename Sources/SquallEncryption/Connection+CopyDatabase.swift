import Squall
import SquallSQLite

extension Connection {
    /// The name by which the new file is attached.
    private static var copy: String { "squall_copy" }

    /// Copies `main` to a new file. The connection checks no constraints.
    func copyDatabase(to path: String, _ encryption: Encryption?) throws {
        try NewFile.write(path) {
            guard NewFile.isEmpty(path) else { throw SQLiteError(FileProblem.exists, of: .file(path)) }
            guard let handle else { throw closedError() }
            // The text encoding of a new file is that of the connection, which it has when it has read its main file.
            let autoVacuum = pragmaValue("main.auto_vacuum", on: handle) ?? 0
            try attachNewFile(path, encryption, pageSize: pragmaValue("main.page_size", on: handle) ?? 4_096)
            try run("PRAGMA \(name: Self.copy).auto_vacuum = \(raw: "\(autoVacuum)")")
            // A preparation may have set them.
            for setting: SQL in ["foreign_keys = OFF", "ignore_check_constraints = ON", "writable_schema = ON"] {
                try run("PRAGMA \(setting)")
            }
            do {
                try transaction(transactionType: .deferred) {
                    try copyNumbers(on: handle)
                    // It has the lock of the file now.
                    guard pragmaValue("\(Self.copy).schema_version", on: handle) == 0 else {
                        throw SQLiteError(FileProblem.exists, of: .file(path))
                    }
                    try copyContent()
                }
            } catch let error as SQLiteError {
                // A page that cannot be read is one of this database: the copy is new.
                throw configuration.key?.explaining(error, ofFile: fileName) ?? error
            }
            try detachDatabase(named: Self.copy)
        }
    }

    private func attachNewFile(_ path: String, _ encryption: Encryption?, pageSize: Int) throws {
        guard let encryption else {
            try attachPlainDatabase(from: .onDisk(path), withName: Self.copy)
            return try run("PRAGMA \(name: Self.copy).page_size = \(raw: "\(pageSize)")")
        }
        let cipher = try encryption.requireCipher()
        var attached = encryption
        if !cipher.takesParametersFirst { attached.parameters = Encryption.Parameters() }
        try attachDatabase(from: .onDisk(path), withName: Self.copy, encryption: attached)
        for statement in cipher.statements(for: encryption.parameters, ofNewDatabase: Self.copy) {
            try run(SQL(raw: statement))
        }
    }

    private func copyNumbers(on handle: OpaquePointer) throws {
        for pragma in ["user_version", "application_id"] {
            let value = pragmaValue("main.\(pragma)", on: handle) ?? 0
            try run("PRAGMA \(name: Self.copy).\(raw: "\(pragma) = \(value)")")
        }
    }

    private func copyContent() throws {
        let catalog = catalog()
        let withoutRowID = try Set(catalog.listings().filter(\.isWithoutRowID).map { Identifier($0.name) })
        for table in try catalog.entries(.table, by: .creation) where table.isStored && !table.isSequence {
            try create(table, after: ["CREATE TABLE "])
            try copyRows(of: table.name, withRowID: !withoutRowID.contains(Identifier(table.name)), catalog)
        }
        if try self.catalog(of: Self.copy).has(.table, named: "sqlite_sequence") {
            try run("DELETE FROM \(name: Self.copy).sqlite_sequence")
            try copyRows(of: "sqlite_sequence", withRowID: true, catalog)
        }
        for index in try catalog.entries(.index, by: .creation) where index.sql != nil {
            try create(index, after: ["CREATE INDEX ", "CREATE UNIQUE INDEX "])
        }
        try run(SchemaCatalog.copyOfEntriesWithoutRows(to: Self.copy))
    }

    /// Creates a table or an index in the copy.
    ///
    /// - Parameter starts: The words with which SQLite begins the SQL that it stores, before the name.
    private func create(_ entry: SchemaCatalog.Entry, after starts: [String]) throws {
        guard let sql = entry.sql, let start = starts.first(where: { sql.hasPrefix($0) }) else {
            throw SQLiteError(code: SQLITE_CORRUPT, message: "malformed database schema (\(entry.name))")
        }
        try run("\(raw: start)\(name: Self.copy).\(raw: String(sql.dropFirst(start.count)))")
    }

    private func copyRows(of table: String, withRowID hasRowID: Bool, _ catalog: SchemaCatalog) throws {
        let all = try catalog.columns(ofTable: table)
        let columns = all.filter { !$0.isGenerated }.map(\.name)
        let rowID: String? = hasRowID ? .rowIDName(besides: all.map(\.name)) : nil
        let names = [rowID].compactMap(\.self) + columns
        let list = names.map { "\(name: $0)" as SQL }.joined(separator: ", ")
        // Not by the conflict clauses of the table, which may leave out rows.
        try run(
            "INSERT OR ABORT INTO \(name: Self.copy).\(name: table)(\(list)) SELECT \(list) FROM main.\(name: table)")
    }
}

extension SchemaCatalog.Entry {
    fileprivate var isSequence: Bool { Identifier(name) == "sqlite_sequence" }
}
