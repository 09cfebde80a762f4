import Foundation
import Squall

/// A file with a schema of the fuzzer, and all that Squall does with the schema of a file.
///
/// Nothing of it may run SQL of the file: a function with a side effect is never called, and another table stays as it is.
final class StrangersFile {
    private let statements: [String]
    private let alteration: UInt8
    /// Whether the function is deterministic. SQLite allows such a function in more places.
    private let isDeterministic: Bool
    private let connection: Connection
    private var calls = 0

    init(statements: [String], alteration: UInt8) throws {
        self.statements = statements
        self.alteration = alteration
        isDeterministic = alteration & 64 != 0
        var configuration = DamagedFile.configuration
        // The grammar nests expressions, and a definition repeats them.
        configuration.limits[.expressionDepth] = 50
        connection = try Connection(":memory:", configuration: configuration)
    }

    func check() throws {
        do {
            try checkAll()
        } catch let error as WrongResult {
            throw WrongResult("\(error); the file: \(statements.joined(separator: "; "))")
        }
    }

    private func checkAll() throws {
        try build()
        try addSideEffect(to: connection)
        // SQLite refuses the whole schema if a part of it calls what an untrusted schema may not.
        let isReadable = try allowingErrors { try connection.run("SELECT 1 FROM sqlite_schema") } != nil
        guard isReadable else { return try describeUnreadable() }
        let before = try fingerprint()
        let tables: [TableTraits] =
            try allowingErrors {
                try connection.tableNames().filter { $0 != "victim" }.map { try TableTraits(of: $0, in: connection) }
            } ?? []
        for table in tables.prefix(3) {
            try allowingErrors { try describe(table) }
            try requireHarmless("while \(table.name) is described")
        }
        try allowingErrors { _ = try connection.schemaDefinition() }
        try requireHarmless("while all is described")
        try allowingErrors { _ = try Schema("fuzz") { Version(1) { DropTable("t0") } }.dryRun(connection) }
        try requireEqual(try fingerprint(), before, "the file after it was described")
        for table in tables.prefix(2) { try alter(table) }
        try requireHarmless("after it was migrated")
    }

    private func describeUnreadable() throws {
        try allowingErrors { _ = try connection.schemaDefinition() }
        try allowingErrors { _ = try connection.plan(toMatch: [Note.table.definition]) }
        try allowingErrors { try Schema("fuzz") { Version(1) { DropTable("t0") } }.migrate(connection) }
        try require(calls == 0 && !connection.isInTransaction, "an unreadable file was changed")
    }

    /// Makes the file with SQLite's own settings, and moves it to a connection for strangers' files.
    private func build() throws {
        var configuration = Configuration.sqlite
        configuration.limits = [.attached: 0, .columns: 100, .length: 1_000_000]
        configuration.timeLimit = .milliseconds(200)
        let maker = try Connection(":memory:", configuration: configuration)
        try addSideEffect(to: maker)
        try maker.execute("CREATE TABLE victim(x); INSERT INTO victim VALUES('alive')")
        for statement in statements { try allowingErrors { try maker.run(SQL(raw: statement)) } }
        // An earlier statement may have made a trigger for it.
        try allowingErrors { try maker.execute("DELETE FROM victim; INSERT INTO victim VALUES('alive')") }
        calls = 0
        try connection.deserialize(try maker.serialize())
    }

    private func addSideEffect(to connection: Connection) throws {
        try connection.addFunction("spy", deterministic: isDeterministic, directOnly: false) {
            [unowned self] (_: [BindingValue]) in
            calls += 1
            return 1
        }
    }

    // MARK: - Checks

    /// Everything that the file has.
    private func fingerprint() throws -> [String] {
        try requireHarmless("while the file is opened")
        let schema: [String] = try connection.query(
            "SELECT type || quote(name) || quote(tbl_name) || quote(sql) FROM sqlite_schema")
        return schema + ["\(try connection.userVersion)", "\(try connection.query("PRAGMA schema_version") as Int)"]
    }

    private func requireHarmless(_ moment: String) throws {
        try require(calls == 0, "a function of the file was called \(moment)")
        try require(!connection.isInTransaction, "a transaction is open \(moment)")
        let rows: [String]? = try allowingErrors { try connection.query("SELECT x FROM victim") }
        try require(rows == nil || rows == victims, "the other table has \(rows ?? []) \(moment)")
    }

    /// A trigger of the file can keep the row out while the file is made.
    private lazy var victims: [String]? = try? connection.query("SELECT x FROM victim")

    private func describe(_ table: TableTraits) throws {
        guard let info = try connection.tableInfo(table.name) else { throw WrongResult("no table \(table.name)") }
        let schema = Schema("fuzz") {
            Version(1) { AlterTable(table.name) { AddColumn("squall_more", Int.self, fillingWith: "1") } }
        }
        let isUnderstood = try allowingErrors { try schema.dryRun(connection) } != nil
        _ = info.sql.text
        let plan = try allowingErrors { try connection.plan(toMatch: [info]) }
        _ = plan?.description
        _ = try allowingErrors { try connection.plan(toMatch: [Note.table.definition]).description }
        guard isUnderstood else { return }
        try requireEqual(info.columns.map(\.name), table.columns.map(\.name), "the columns of \(table.name)")
        // SQLite leaves out a column that is in the key twice.
        try requireEqual(
            info.primaryKey.distinct, table.primaryKey, "the primary key of \(table.name), \(table.sql ?? "")")
        try requireEqual(info.isStrict, table.isStrict, "STRICT of \(table.name), \(table.sql ?? "")")
        try requireEqual(
            info.isWithoutRowID, table.isWithoutRowID, "WITHOUT ROWID of \(table.name), \(table.sql ?? "")")
        for (column, other) in zip(info.columns, table.columns) {
            try requireEqual(column.type.lowercased(), other.type.lowercased(), "the type of \(column.name)")
            try requireEqual(
                column.generated != nil, other.hidden > 1, "GENERATED of \(column.name), \(table.sql ?? "")")
            if other.keyPosition == 0 {
                try requireEqual(column.notNull != nil, other.isNotNull, "NOT NULL of \(column.name)")
            }
        }
        if let plan { try require(plan.isEmpty, "a table differs from itself: \(plan), \(table.sql ?? "")") }
    }

    private func alter(_ table: TableTraits) throws {
        guard let last = table.columns.last?.name else { return }
        let steps: [any AlterTableStep]
        switch alteration % 5 {
        case 0, 1: steps = [AddColumn("squall_more", Int.self, fillingWith: "1")]
        case 2: steps = [DropColumn(last)]
        case 3: steps = [RenameColumn(last, to: "squall_renamed")]
        default: steps = [ChangeColumn(last, to: String?.self)]
        }
        let rows = values(of: table, first: table.columns.count)
        let schema = Schema("fuzz_\(table.name)") {
            Version(1) { AlterTable(table.name) { for step in steps { step } } }
        }
        let isDone = try allowingErrors { try schema.migrate(connection) } == true
        try requireHarmless("while it is migrated")
        let after = try allowingErrors { try TableTraits(of: table.name, in: connection) }
        guard let after else { return }
        if isDone, alteration % 5 >= 2 { return try requireOthersKept(table, after, rows) }
        let count = table.columns.count
        try requireEqual(
            Array(after.columns.prefix(count)), table.columns, "the columns of \(table.sql ?? "") after a change")
        try requireEqual(after.foreignKeys, table.foreignKeys, "the foreign keys of \(table.sql ?? "") after a change")
        try requireEqual(
            after.dependents, table.dependents, "the indexes and triggers of \(table.sql ?? "") after a change")
        try requireEqual(after.isStrict, table.isStrict, "STRICT after a change")
        try requireEqual(after.isWithoutRowID, table.isWithoutRowID, "WITHOUT ROWID after a change")
        if let rows, let others = values(of: table, first: count) {
            try requireEqual(others, rows, "the rows of \(table.sql ?? "") after a change")
        }
    }

    /// Checks what a change of the last column keeps: the other columns, their values and the options of the table.
    private func requireOthersKept(_ table: TableTraits, _ after: TableTraits, _ rows: [[BindingValue]]?) throws {
        let kept = table.columns.count - 1
        try requireEqual(
            after.columns.prefix(kept).map(\.name), table.columns.dropLast().map(\.name),
            "the other columns of \(table.sql ?? "") after a change of the last one")
        try requireEqual(after.isStrict, table.isStrict, "STRICT after a change of the last column")
        try requireEqual(after.isWithoutRowID, table.isWithoutRowID, "WITHOUT ROWID after a change of the last column")
        guard let rows, let others = values(of: table, first: kept) else { return }
        // The order can be that of the changed column.
        try requireEqual(
            others.map { "\($0)" }.sorted(), rows.map { "\($0.prefix(kept))" }.sorted(),
            "the other values of \(table.sql ?? "") after a change of the last column")
    }

    /// Returns the values in the first columns of all rows; `nil` if they cannot be read.
    private func values(of table: TableTraits, first count: Int) -> [[BindingValue]]? {
        try? connection.query("SELECT * FROM \(name: table.name)").map {
            $0.columns.prefix(count).map(\.bindingValue)
        }
    }
}

extension [String] {
    /// The names without those that SQLite takes for an earlier one.
    fileprivate var distinct: [String] {
        var result: [String] = []
        for name in self where !result.contains(where: { $0.utf8.isFolded(equalTo: name.utf8) }) { result.append(name) }
        return result
    }
}
