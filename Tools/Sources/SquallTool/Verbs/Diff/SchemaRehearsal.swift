import Squall

/// Runs a script on a copy of the first schema, in memory and without rows, and compares the result with the second schema.
struct SchemaRehearsal {
    let comparison: SchemaDiff

    init(_ comparison: SchemaDiff) {
        self.comparison = comparison
    }

    /// - Returns: Whether SQLite can check the foreign keys afterwards. It cannot if one refers to columns that do not exist, or
    ///   are not unique.
    /// - Throws: ``Failure`` if the script fails, or does not lead to the second schema.
    func run(_ script: SchemaScript) throws -> Bool {
        let copy = try Connection(":memory:", configuration: .sqlite).withExtensions()
        do {
            for object in comparison.old.all where object.kind != .trigger { try copy.execute(SQL(raw: object.sql)) }
            for object in comparison.old.all where object.kind == .trigger { try copy.execute(SQL(raw: object.sql)) }
        } catch let error as SQLiteError {
            // The schema needs a module, a function or a collation of its program.
            Console.printError("note: the script was not tried on a copy of the schema: \(error.message.printable)")
            return true
        }
        do {
            try copy.execute(SQL(raw: script.text(from: "", to: "", checksKeys: false)))
        } catch let error as SQLiteError {
            throw Failure("the script fails on a copy of the schema: \(error.message)", exitCode: .sqlError)
        }
        let rest = SchemaDiff(try SchemaObjects(of: copy), comparison.new).differences
        if let first = rest.first {
            throw Failure(
                "the script does not lead to the second schema: \(first.kind) \(first.table ?? "") \(first.name) differs",
                exitCode: .sqlError
            )
        }
        return (try? copy.foreignKeyCheck()) != nil
    }
}
