import ArgumentParser
import Squall

/// Compares the rows of the tables that two files have.
struct DataDiff {
    let old: Connection
    let new: Connection
    let objects: (SchemaObjects, SchemaObjects)
    let files: (DatabaseFile, DatabaseFile)
    let output: Output

    /// Prints the rows that differ.
    func printList(as format: OutputFormat?) throws -> Bool {
        var areAlike = try noteTables()
        var rows = try format.map { try $0.rowFormat.init(columns: RowReport.columns, output: output) }
        for comparison in try comparisons(areAlike: &areAlike) {
            let report = RowReport(pair: comparison.pair, output: output)
            let counts: RowCounts
            if var format = rows {
                counts = try report.printRows(comparison, to: &format)
                rows = format
            } else {
                counts = try report.printList(comparison)
            }
            areAlike = areAlike && counts.areAllSame
        }
        try rows?.finish()
        for (table, before, after) in try nextKeys() {
            note("the highest key that '\(table)' has used differs: \(before) and \(after)")
        }
        return areAlike
    }

    /// Prints the numbers of rows that differ.
    func printSummary(as format: OutputFormat?) throws -> Bool {
        var areAlike = try noteTables()
        let rows = try comparisons(areAlike: &areAlike).map { comparison -> [Cell] in
            let counts = try comparison.run { _ in }
            areAlike = areAlike && counts.areAllSame
            let numbers = [counts.inserted, counts.deleted, counts.changed, counts.same]
            return [.text(comparison.pair.name), .text(comparison.pair.keyNames)] + numbers.map { .integer(Int64($0)) }
        }
        let columns = ["table", "key", "inserted", "deleted", "changed", "same"]
        try output.write(rows, columns: columns, as: format ?? .table)
        return areAlike
    }

    /// Prints the statements that make the rows of the first file those of the second.
    func printScript() throws -> Bool {
        var areAlike = true
        let comparisons = try comparisons(areAlike: &areAlike)
        guard areAlike, try noteTables() else {
            throw Failure(
                "the tables or columns of '\(files.0.path)' and '\(files.1.path)' differ", exitCode: .sqlError,
                hint: "make the schemas alike first: squall diff --sql, without --data"
            )
        }
        try output.write(
            """
            -- Makes the rows of \(files.0.path.printable) those of \(files.1.path.printable).
            -- Actions such as ON DELETE CASCADE would change more rows than these.
            PRAGMA foreign_keys = OFF;
            BEGIN IMMEDIATE;
            -- For a transaction that was begun before:
            PRAGMA defer_foreign_keys = ON;

            """
        )
        let literal = try SQLLiteral(new)
        var changed: Set<SQLName> = []
        for comparison in comparisons {
            let name = comparison.pair.name
            let script = RowScript(
                pair: comparison.pair, triggers: objects.0.objects(.trigger, of: name), literal: literal, output: output
            )
            if try !script.write(comparison).areAllSame { changed.insert(SQLName(name)) }
        }
        for (table, content) in searchTables() where changed.contains(content) {
            let name = table.quotedName
            try output.write("INSERT INTO \(name)(\(name)) VALUES('rebuild');\n")
        }
        let keys = try nextKeys()
        for (table, _, next) in keys { try output.write(AutoincrementScript(table, next).text) }
        try output.write("COMMIT;\n")
        return changed.isEmpty && keys.isEmpty
    }

    /// Returns the comparisons of the tables that both files have.
    private func comparisons(areAlike: inout Bool) throws -> [RowComparison] {
        var result: [RowComparison] = []
        for table in objects.0.objects(.table) {
            let name = SQLName(table.name)
            guard let before = objects.0.definitions[name], let after = objects.1.definitions[name] else { continue }
            let pair = try pair(before, after)
            if !pair.unshared.isEmpty {
                note("columns that only one table '\(pair.name)' has: \(pair.unshared.joined(separator: ", "))")
                areAlike = false
            }
            result.append(RowComparison(pair: pair, old: old, new: new, files: files))
        }
        return result
    }

    private func pair(_ before: TableDefinition, _ after: TableDefinition) throws -> TablePair {
        do {
            return try TablePair(before, after, (old, new))
        } catch let error as TablePair.Incomparable {
            throw Failure(
                "\(files.0.path) and \(files.1.path): the rows of the table '\(error.table)' cannot be compared: \(error.reason)",
                exitCode: .sqlError
            )
        }
    }

    /// Prints which tables are not compared.
    ///
    /// - Returns: Whether both files have the same tables.
    private func noteTables() throws -> Bool {
        var areAlike = true
        for (own, others, file) in [(objects.0, objects.1, files.0.path), (objects.1, objects.0, files.1.path)] {
            for table in own.objects(.table) where others.object(.table, table.name) == nil {
                note("only \(file) has the table '\(table.name)'")
                areAlike = false
            }
        }
        for table in objects.0.objects(.table) where table.isVirtual && objects.1.object(.table, table.name) != nil {
            note("the rows of the virtual table '\(table.name)' are not compared")
        }
        return areAlike
    }

    /// Returns the tables with AUTOINCREMENT whose highest key, which may be one of a deleted row, differs in the two files.
    private func nextKeys() throws -> [(table: String, old: Int64, new: Int64)] {
        try objects.0.objects(.table).compactMap { table in
            guard objects.1.object(.table, table.name) != nil,
                let before = try files.0.naming({ try old.highestKey(of: table.name) }),
                let after = try files.1.naming({ try new.highestKey(of: table.name) }), before != after
            else { return nil }
            return (table.name, before, after)
        }
    }

    private func note(_ text: String) {
        Console.printError("note: \(text.printable)")
    }

    /// The full-text tables of the first file that are about rows of another table, and those tables.
    private func searchTables() -> [(table: String, content: SQLName)] {
        objects.0.objects(.table).filter(\.isVirtual).compactMap { table in
            let lexer = SQLLexer(table.sql)
            let tokens = lexer.filter { !$0.isBlank }
            guard tokens.contains(where: { lexer.isToken($0, "FTS5") }),
                let option = tokens.firstIndex(where: { lexer.isToken($0, "CONTENT") }),
                option + 2 < tokens.count, lexer.isToken(tokens[option + 1], "=")
            else { return nil }
            let value = lexer.text(of: tokens[option + 2])
            let name = tokens[option + 2].kind == .word ? value : String(value.dropFirst().dropLast())
            return name.isEmpty ? nil : (table.name, SQLName(name))
        }
    }
}
