import ArgumentParser
import Squall

/// Compares the rows of the tables that two files have.
struct DataDiff {
    let old: Connection
    let new: Connection
    let objects: (SchemaObjects, SchemaObjects)
    let files: (DatabaseFile, DatabaseFile)
    let output: Output
    private var areAlike = true
    /// The exit code of the first table that could not be compared.
    private var failure: ExitCode?
    /// The names of the tables that could not be compared.
    private var incomparable: [String] = []

    init(
        old: Connection, new: Connection, objects: (SchemaObjects, SchemaObjects), files: (DatabaseFile, DatabaseFile),
        output: Output
    ) {
        (self.old, self.new, self.objects, self.files, self.output) = (old, new, objects, files, output)
    }

    private var answer: DiffAnswer { failure.map { .incomplete($0) } ?? DiffAnswer(areAlike: areAlike) }

    /// Prints the rows that differ.
    mutating func printList(as format: OutputFormat?) throws -> DiffAnswer {
        areAlike = try noteTables()
        var rows = try format.map { try $0.rowFormat.init(columns: RowReport.columns, output: output) }
        for comparison in try comparisons() {
            let report = RowReport(pair: comparison.pair, output: output)
            let counts = try comparing(comparison.pair.name) {
                guard var format = rows else { return try report.printList(comparison) }
                // Also the rows before a failure are printed.
                defer { rows = format }
                return try report.printRows(comparison, to: &format)
            }
            areAlike = areAlike && counts?.areAllSame ?? true
        }
        try rows?.finish()
        for (table, before, after) in try nextKeys() {
            note("the highest key that '\(table)' has used differs: \(before) and \(after)")
        }
        return answer
    }

    /// Prints the numbers of rows that differ.
    mutating func printSummary(as format: OutputFormat?) throws -> DiffAnswer {
        areAlike = try noteTables()
        let rows = try comparisons().compactMap { comparison -> [Cell]? in
            guard let counts = try comparing(comparison.pair.name, { try comparison.run { _ in } }) else { return nil }
            areAlike = areAlike && counts.areAllSame
            let numbers = [counts.inserted, counts.deleted, counts.changed, counts.same]
            return [.text(comparison.pair.name), .text(comparison.pair.keyNames)] + numbers.map { .integer(Int64($0)) }
        }
        let columns = ["table", "key", "inserted", "deleted", "changed", "same"]
        try output.write(rows, columns: columns, as: format ?? .table)
        return answer
    }

    /// Prints the statements that make the rows of the first file those of the second.
    mutating func printScript() throws -> DiffAnswer {
        let comparisons = try comparisons()
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
        for table in incomparable {
            try output.write("-- The rows of \(table.printable) are left as they are: they cannot be compared.\n")
        }
        let literal = try SQLLiteral(new)
        var changed: Set<Identifier> = []
        for comparison in comparisons {
            let name = comparison.pair.name
            let script = RowScript(
                pair: comparison.pair, triggers: objects.0.triggersOfProgram(of: name), literal: literal, output: output
            )
            if try !script.write(comparison).areAllSame { changed.insert(Identifier(name)) }
        }
        for (table, content) in objects.0.searchTables where changed.contains(content) {
            let name = table.quotedName
            try output.write("INSERT INTO \(name)(\(name)) VALUES('rebuild');\n")
        }
        let keys = try nextKeys()
        for (table, _, next) in keys { try output.write(AutoincrementScript(table, next).text) }
        try output.write("COMMIT;\n")
        areAlike = changed.isEmpty && keys.isEmpty
        return answer
    }

    /// Works on a table. If that fails, the failure is printed and the other tables follow.
    private mutating func comparing<Result>(_ table: String, _ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch {
            guard let failure = Failure(error), failure.exitCode != .interrupted, failure.exitCode != .ioError else {
                throw error
            }
            Console.printError(failure.at("the rows of the table '\(table)' cannot be compared").description)
            incomparable.append(table)
            self.failure = self.failure ?? failure.exitCode
            return nil
        }
    }

    /// Returns the comparisons of the tables that both files have.
    private mutating func comparisons() throws -> [RowComparison] {
        var result: [RowComparison] = []
        let (old, new) = (old, new)
        for table in objects.0.objects(.table) {
            let name = Identifier(table.name)
            guard let before = objects.0.definitions[name], let after = objects.1.definitions[name],
                let pair = try comparing(table.name, { try TablePair(before, after, (old, new)) })
            else { continue }
            if !pair.unshared.isEmpty {
                note("columns that only one table '\(pair.name)' has: \(pair.unshared.joined(separator: ", "))")
                areAlike = false
            }
            result.append(RowComparison(pair: pair, old: old, new: new, files: files))
        }
        return result
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
}
