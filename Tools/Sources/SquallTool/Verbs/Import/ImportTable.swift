import Foundation
import Squall

/// A column of the table that is imported into.
struct ImportColumn {
    let name: String
    let type: ColumnType
}

/// The options about the table of an import.
struct TableOptions {
    let name: String
    let primaryKey: [String]
    let isStrict: Bool
    let types: [TypeOverride]
    /// The names of the database and of the imported file, for messages.
    let database: String
    let file: String
}

/// The table that a file is imported into.
struct ImportTable {
    let name: String
    /// The name of the database, for messages.
    private let database: String
    private var columns: [Identifier: ImportColumn] = [:]
    /// The columns that SQLite computes.
    private var generated: Set<Identifier> = []
    private(set) var primaryKey: [String]
    /// The statement that creates the table; `nil` if it exists.
    private(set) var creation: SQL?

    /// Reads an existing table.
    ///
    /// - Returns: `nil` if the table does not exist.
    /// - Throws: ``Failure`` if it is a view.
    init?(existing options: TableOptions, in connection: Connection) throws {
        guard let table = try connection.tableInfo(options.name) else {
            let isView = try connection.storedEntries().contains {
                $0.kind == .view && $0.name.isSameName(as: options.name)
            }
            guard !isView else {
                throw Failure("\(options.database): '\(options.name)' is a view", exitCode: .sqlError)
            }
            return nil
        }
        name = table.name
        database = options.database
        primaryKey = table.primaryKey
        for column in table.columns {
            let type = ColumnType(declared: column.type, isStrict: table.isStrict)
            columns[Identifier(column.name)] = ImportColumn(name: column.name, type: type)
            if column.generated != nil { generated.insert(Identifier(column.name)) }
        }
        for override in options.types { try change(override) }
        if !options.primaryKey.isEmpty, options.primaryKey.map(Identifier.init) != primaryKey.map(Identifier.init) {
            let key = primaryKey.isEmpty ? "none" : primaryKey.joined(separator: ", ")
            throw Failure(
                "\(database): the table '\(name)' exists with another primary key: \(key)", exitCode: .sqlError)
        }
    }

    /// Describes a new table.
    ///
    /// - Throws: ``Failure`` for columns of the same name, and for a primary key that is not among them.
    init(new options: TableOptions, columns: [ImportColumn]) throws {
        name = options.name
        database = options.database
        primaryKey = options.primaryKey
        for column in columns {
            guard self.columns.updateValue(column, forKey: Identifier(column.name)) == nil else {
                throw Failure(
                    "\(options.file): two columns have the name '\(column.name)'", exitCode: .badInput,
                    hint: "give all columns other names with --columns"
                )
            }
        }
        for key in primaryKey where self.columns[Identifier(key)] == nil {
            throw Failure(
                "\(options.file): the primary key '\(key)' is not a column", exitCode: .badInput,
                hint: Self.hint(columns.map(\.name))
            )
        }
        creation = Self.creation(name, columns, primaryKey, options.isStrict)
    }

    private static func creation(
        _ name: String, _ columns: [ImportColumn], _ primaryKey: [String], _ isStrict: Bool
    ) -> SQL {
        let single = primaryKey.count == 1 ? primaryKey.first.map(Identifier.init) : nil
        var lines = columns.map { column in
            let key = Identifier(column.name) == single ? ColumnDefinition.PrimaryKey() : nil
            return ColumnDefinition(
                name: column.name, type: column.type.declaration(isStrict: isStrict), primaryKey: key
            ).sql
        }
        if primaryKey.count > 1 {
            lines.append("PRIMARY KEY (\(primaryKey.map { "\(name: $0)" as SQL }.joined(separator: ", ")))")
        }
        let end: SQL = isStrict ? " STRICT" : ""
        return "CREATE TABLE \(name: name)(\n  \(lines.joined(separator: ",\n  "))\n)\(end)"
    }

    private mutating func change(_ override: TypeOverride) throws {
        do throws(BadRecord) {
            let column = try column(named: override.column)
            columns[Identifier(override.column)] = ImportColumn(name: column.name, type: override.type)
        } catch {
            throw Failure("\(database): \(error.reason)", exitCode: .sqlError, hint: error.hint)
        }
    }

    /// Returns a column by its name in the file.
    ///
    /// - Throws: ``BadRecord`` if the table does not have the column, or SQLite computes it.
    func column(named name: String) throws(BadRecord) -> ImportColumn {
        let key = Identifier(name)
        guard let column = columns[key] else {
            let names = columns.values.map(\.name).sorted()
            throw BadRecord(reason: "the table '\(self.name)' has no column '\(name)'", hint: Self.hint(names))
        }
        guard !generated.contains(key) else {
            throw BadRecord(
                reason: "the column '\(column.name)' of '\(self.name)' is generated, and cannot be imported")
        }
        return column
    }

    static func hint(_ columns: [String]) -> String { "the columns are \(columns.joined(separator: ", "))" }
}
