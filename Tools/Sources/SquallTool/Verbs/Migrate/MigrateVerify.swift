import ArgumentParser
import Squall
import SquallBase

struct MigrateVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Checks that the files lead to the schema that the database has.",
        discussion: """
            Runs all versions in memory, from nothing, and reports steps that fail, broken triggers and views, and \
            foreign keys to missing tables. Then compares the tables and views of the database with those that the \
            versions up to its own lead to, and checks its foreign keys. Ends with 1 if it finds something. Nothing \
            is changed.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @OptionGroup
    var files: MigrationFolder

    func run() throws {
        let schema = try files.read()
        let problems = try source.database.use { connection in
            try connection.snapshot { try Self.problems(of: schema, on: connection) }
        }
        guard problems.isEmpty else {
            let lines = problems.joined(separator: "\n").split(separator: "\n").map { String($0).printable }
            try Output.printLine(lines.joined(separator: "\n"))
            throw ExitCode.no
        }
        try Output.printLine("\(source.file) has the schema of \(files.folder)".printable)
    }

    private static func problems(of schema: Schema, on connection: Connection) throws -> [String] {
        do {
            try schema.verify()
        } catch SchemaError.invalid(let reasons) {
            return reasons
        }
        let status = try schema.status(of: connection)
        guard status.version <= status.latest else {
            return ["\(SchemaError.newerFile(version: status.version, latest: status.latest))"]
        }
        var problems: [String] = []
        let edited = status.applied.filter(\.isEdited).map(\.version)
        if !edited.isEmpty { problems += SchemaError.editedVersions(edited).lines }
        if !status.skipped.isEmpty { problems += SchemaError.skippedVersions(status.skipped).lines }
        if problems.isEmpty {
            let expected = try Connection(":memory:").withExtensions()
            if status.version > 0 { try schema.migrate(expected, to: status.version) }
            problems += try differences(of: connection.schemaDefinition(), from: expected.schemaDefinition())
        }
        problems += try connection.foreignKeyCheck().map { violation in
            let row = violation.rowID.map { "the row \($0)" } ?? "a row"
            return "\(row) of \"\(violation.table)\" refers to a row of \"\(violation.parent)\" that is not there"
        }
        return problems
    }

    /// Returns one message for each table or view that one of the two schemas lacks, or has in another form.
    private static func differences(of found: SchemaDefinition, from expected: SchemaDefinition) -> [String] {
        differences(of: found.tables, from: expected.tables, "table", name: \.name, \.simplified) { $0.sql.text }
            + differences(of: found.views, from: expected.views, "view", name: \.name, \.simplified) { $0.sql.text }
    }

    private static func differences<Object: Equatable>(
        of found: [Object], from expected: [Object], _ kind: String, name: KeyPath<Object, String>,
        _ simplified: KeyPath<Object, Object>, sql: (Object) -> String
    ) -> [String] {
        func byName(_ objects: [Object]) -> [Identifier: Object] {
            let own = objects.map { (Identifier($0[keyPath: name]), $0) }.filter { !$0.0.isOfLibrary }
            return Dictionary(own) { first, _ in first }
        }
        let (found, expected) = (byName(found), byName(expected))
        let names = found.merging(expected) { first, _ in first }.values.map { $0[keyPath: name] }
        return names.sorted().compactMap { object in
            switch (found[Identifier(object)], expected[Identifier(object)]) {
            case (let one?, let two?) where one[keyPath: simplified] == two[keyPath: simplified]: nil
            case (let one?, let two?):
                SQLTokenizer.normalized(sql(one)) == SQLTokenizer.normalized(sql(two))
                    ? "the indexes or triggers of the \(kind) \"\(object)\" differ"
                    : "the \(kind) \"\(object)\" differs:\n  database  \(sql(one))\n  versions  \(sql(two))"
            case (.some, nil): "the \(kind) \"\(object)\" is in the database, and not in the versions"
            case (nil, _): "the \(kind) \"\(object)\" is in the versions, and not in the database"
            }
        }
    }
}

// SQLite keeps the text of views and triggers, in which a file with other line ends or another layout differs.

extension TableDefinition {
    fileprivate var simplified: TableDefinition {
        var table = self
        table.triggers = triggers.map(\.simplified)
        return table
    }
}

extension ViewDefinition {
    fileprivate var simplified: ViewDefinition {
        ViewDefinition(
            name: name, sql: SQL(raw: SQLTokenizer.normalized(sql.text)), triggers: triggers.map(\.simplified))
    }
}

extension TriggerDefinition {
    fileprivate var simplified: TriggerDefinition {
        TriggerDefinition(name: name, table: table, sql: SQL(raw: SQLTokenizer.normalized(sql.text)))
    }
}
