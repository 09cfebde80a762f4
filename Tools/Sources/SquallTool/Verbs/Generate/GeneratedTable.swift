import Squall
import SquallSQLFiles

/// A table with the Swift names and types of its declaration.
struct GeneratedTable {
    struct Property {
        let column: ColumnDefinition
        /// Without backticks.
        let name: String
        let type: PropertyType
        /// The form of dates in which the default is the current time.
        let timeForm: TimeForm?
        let isOptional: Bool

        var typeName: String { type.rawValue + (isOptional ? "?" : "") }
    }

    let definition: TableDefinition
    /// The name of the record.
    let type: String
    let properties: [Property]

    /// The names of the source that a record must not have.
    private static let reserved: Set<String> = [
        "BindingValue", "Bool", "Column", "Connection", "Data", "Database", "Date", "Double", "Foundation",
        "IndexedColumn",
        "Int64", "Optional", "Relation", "Row", "SQL", "Self", "Sendable", "Squall", "String", "Table",
        "TableConstraint",
        "Record", "TableRecord", "Type", "Protocol", "Any", "Error", "Array", "Set", "Character", "Result", "Schema",
        "Storage",
    ]

    /// Returns the tables with names that differ.
    static func tables(_ definitions: [TableDefinition], dates: Bool) -> [GeneratedTable] {
        var names = UniqueNames(reserving: [])
        return definitions.map { definition in
            let name = SwiftName.type(definition.name)
            let candidates = [name, name + "Record", name + "Row"]
            let type = names.unique(candidates.first { !reserved.contains($0) } ?? name + "Row")
            return GeneratedTable(definition, type, dates: dates)
        }
    }

    private init(_ definition: TableDefinition, _ type: String, dates: Bool) {
        self.definition = definition
        self.type = type
        let rowID = definition.rowIDColumn.map { Identifier($0) }
        let keys = Set(definition.primaryKey.map { Identifier($0) })
        // `\Record.self` is the record itself, and `table` its declaration.
        var names = UniqueNames(reserving: ["self", "table"])
        properties = definition.columns.map { column in
            let id = Identifier(column.name)
            // SQLite assigns the rowid to a record whose key is `nil`.
            let isOptional = id == rowID || column.notNull == nil && !keys.contains(id)
            let timeForm = TimeForm(ofDefault: column.defaultValue)
            return Property(
                column: column, name: names.unique(SwiftName.property(column.name)),
                type: timeForm == nil ? PropertyType(declared: column.type, dates: dates) : .date,
                timeForm: timeForm, isOptional: isOptional)
        }
    }

    func property(_ column: String) -> Property? { properties.first { $0.column.name.isSameName(as: column) } }
}

// MARK: - Constraints

extension GeneratedTable {
    /// A foreign key, whether it is declared with its column or with the table.
    struct Reference {
        let columns: [String]
        let target: ForeignKeyReference
    }

    var references: [Reference] {
        let own = definition.columns.flatMap { column in
            column.references.map { Reference(columns: [column.name], target: $0) }
        }
        return own
            + definition.constraints.compactMap { constraint in
                guard case .foreignKey(let columns, let target) = constraint.kind else { return nil }
                return Reference(columns: columns, target: target)
            }
    }

    /// The constraints of the table that are declared with one of its columns instead, which reads better.
    func isOfColumn(_ constraint: TableConstraint) -> Bool {
        switch constraint.kind {
        case .primaryKey(let columns, _), .unique(let columns, _):
            columns.count == 1 && columns[0].columnName != nil && columns[0].collation == nil && columns[0].order == nil
        case .check, .foreignKey: false
        }
    }

    /// The columns of the key in which the file allows NULL, which a declaration does not.
    var nullableKeys: [String] {
        definition.isWithoutRowID
            ? []
            : definition.primaryKey.filter { name in
                !(definition.rowIDColumn?.isSameName(as: name) ?? false) && property(name)?.column.notNull == nil
            }
    }
}
