import Squall

/// Reads the tables and views of a database.
struct CatalogReader {
    private let connection: Connection
    private let types: SchemaTypes
    private let functions: [FunctionDeclaration]

    init(_ connection: Connection, _ types: SchemaTypes = SchemaTypes(), _ functions: [FunctionDeclaration] = []) {
        self.connection = connection
        self.types = types
        self.functions = functions
    }

    func catalog() throws -> Catalog {
        var catalog = Catalog()
        catalog.functions = Dictionary(grouping: functions, by: \.name)
        let schema = try connection.schemaDefinition()
        let definitions = Dictionary(schema.tables.map { (Name($0.name), $0) }) { $1 }
        let modules = try modules()
        for definition in schema.tables {
            let name = Name(definition.name)
            catalog.tables[name] = try table(name, definition, modules[name], definitions)
        }
        for view in schema.views {
            let name = Name(view.name)
            let columns = try columns(of: name).map { column in
                // The types of a view are those of its SELECT.
                CatalogColumn(
                    name: column.name, declaredType: "", isNotNull: false, isRowID: false, isHidden: false,
                    type: types[name][column.name]?.type)
            }
            let sql: String = try connection.query(
                "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = \(view.name)")
            catalog.tables[name] = CatalogTable(name: name, kind: .view(sql: sql), columns: columns, hasRowID: false)
        }
        return catalog
    }

    // MARK: Columns

    fileprivate struct Column {
        let name: Name
        let type: String
        let isNotNull: Bool
        /// The number that `table_xinfo` gives: 1 is hidden, 2 and 3 are generated.
        let hidden: Int
    }

    private func columns(of table: Name) throws -> [Column] {
        try connection.query(
            "SELECT name, type, \"notnull\", hidden FROM pragma_table_xinfo(\(table.spelling))"
        ) { (row: Row) in
            Column(
                name: Name(try row.get(0) as String), type: try row.get(1) ?? "",
                isNotNull: try row.get(2), hidden: try row.get(3))
        }
    }

    private func table(
        _ name: Name, _ definition: TableDefinition, _ module: String?, _ all: [Name: TableDefinition]
    ) throws -> CatalogTable {
        if let module { return try virtualTable(name, module) }
        let rowID = definition.rowIDColumn.map { Name($0) }
        let references = definition.rowIDReferences(all)
        let columns = try columns(of: name).map { column in
            let isRowID = column.name == rowID
            let declared = types[name][column.name]?.type
            let isInteger = ValueType(declared: column.type) == .int
            let inferred: ValueType? =
                if isRowID || isInteger && references.contains(column.name) {
                    .rowID
                } else if isInteger, definition.isTruth(column.name) {
                    .bool
                } else {
                    ValueType(declared: column.type)
                }
            return CatalogColumn(
                name: column.name, declaredType: column.type, isNotNull: column.isNotNull || isRowID, isRowID: isRowID,
                isHidden: column.hidden == 1, isGenerated: column.hidden > 1, type: declared ?? inferred)
        }
        return CatalogTable(name: name, kind: .table, columns: columns, hasRowID: !definition.isWithoutRowID)
    }

    // MARK: Virtual tables

    /// The modules of the virtual tables, in lower case.
    private func modules() throws -> [Name: String] {
        let definitions: [String: String] = try connection.query(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND rootpage = 0")
        return Dictionary(
            definitions.compactMap { name, sql in
                let tokens = Lexer.tokens(of: sql)
                guard let using = tokens.firstIndex(where: { $0.is("USING") }), let module = tokens[safe: using + 1]
                else {
                    return nil
                }
                return (Name(name), module.text.asciiLowercased)
            }
        ) { $1 }
    }

    private func virtualTable(_ name: Name, _ module: String) throws -> CatalogTable {
        let columns = try columns(of: name).enumerated().map { index, column in
            let isHidden = column.hidden == 1
            let known: (type: ValueType?, isNotNull: Bool) =
                switch module {
                case "fts3", "fts4", "fts5":
                    (column.name == "rank" && isHidden ? .double : .string, false)
                case "rtree":
                    index == 0 ? (.rowID, true) : column.isCoordinate ? (.double, true) : (column.swiftType, false)
                case "rtree_i32":
                    index == 0 ? (.rowID, true) : column.isCoordinate ? (.int, true) : (column.swiftType, false)
                default: (column.swiftType, column.isNotNull)
                }
            return CatalogColumn(
                name: column.name, declaredType: column.type, isNotNull: known.isNotNull, isRowID: false,
                isHidden: isHidden, type: types[name][column.name]?.type ?? known.type)
        }
        return CatalogTable(name: name, kind: .virtual(module: module), columns: columns, hasRowID: true)
    }
}

extension CatalogReader.Column {
    fileprivate var swiftType: ValueType? { ValueType(declared: type) }

    /// Whether the column of an R*Tree is a coordinate. SQLite reports them as INT or REAL, and auxiliary columns without a type.
    fileprivate var isCoordinate: Bool { ["INT", "REAL"].contains(type.asciiUppercased) }
}

extension ValueType {
    /// The type of a column by its declared type; `nil` where values of several types are usual, as for NUMERIC and DATE.
    init?(declared: String) {
        let type = declared.asciiUppercased
        if type == "BOOL" || type == "BOOLEAN" {
            self = .bool
        } else if type.contains("INT") {
            self = .int
        } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
            self = .string
        } else if type.contains("BLOB") {
            self = .data
        } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
            self = .double
        } else {
            return nil
        }
    }
}
