import Squall

/// Reads the tables and views of a database.
struct CatalogReader {
    private let connection: Connection
    private let declarations: SchemaDeclarations
    private let functions: [FunctionDeclaration]

    init(
        _ connection: Connection, _ declarations: SchemaDeclarations = SchemaDeclarations(),
        _ functions: [FunctionDeclaration] = []
    ) {
        self.connection = connection
        self.declarations = declarations
        self.functions = functions
    }

    func catalog() throws -> Catalog {
        var catalog = Catalog()
        catalog.functions = Dictionary(grouping: functions, by: \.name)
        let columns = try columnsOfTables()
        let modules = try virtualTables()
        let shadows = try shadowTables()
        let definitions = Dictionary(
            try connection.tableNames().filter { modules[Name($0)] == nil && !shadows.contains(Name($0)) }
                .compactMap { try connection.tableInfo($0) }.map { (Name($0.name), $0) }
        ) { $1 }
        for (name, definition) in definitions {
            catalog.tables[name] = table(name, definition, columns[name] ?? [], definitions)
        }
        for (name, module) in modules where !shadows.contains(name) {
            catalog.tables[name] = table(name, module, columns[name] ?? [])
        }
        for (name, sql) in try views() { catalog.tables[name] = try view(name, sql) }
        return catalog
    }

    /// Returns the views that cannot be read, with their errors: SQLite does not check a view when it is created.
    func brokenViews() throws -> [(view: Name, error: SQLiteError)] {
        try views().compactMap { view, _ in
            do {
                _ = try connection.prepare("SELECT * FROM main.\(name: view.spelling)")
                return nil
            } catch let error as SQLiteError {
                return (view, error)
            }
        }
    }
}

// MARK: - Rows of the schema

extension CatalogReader {
    /// A column as SQLite reports it.
    private struct Column {
        let name: Name
        let type: String
        let isNotNull: Bool
        /// 1 for a hidden column, 2 and 3 for a generated one.
        let hidden: Int

        func typed(_ type: ValueType?, isNotNull: Bool, isRowID: Bool = false) -> CatalogColumn {
            CatalogColumn(
                name: name, declaredType: self.type, isNotNull: isNotNull, isRowID: isRowID, isHidden: hidden == 1,
                isGenerated: hidden > 1, type: type)
        }
    }

    private func columnsOfTables() throws -> [Name: [Column]] {
        let rows: [(Name, Column)] = try connection.query(
            """
            SELECT m.name, x.name, x.type, x."notnull", x.hidden \
            FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name, 'main') AS x \
            WHERE m.type = 'table' ORDER BY m.rowid, x.cid
            """
        ) { row in
            let column = Column(
                name: Name(try row.get(1) as String), type: try row.get(2) ?? "", isNotNull: try row.get(3),
                hidden: try row.get(4))
            return (Name(try row.get(0) as String), column)
        }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
    }

    private func views() throws -> [(Name, sql: String)] {
        try connection.query("SELECT name, sql FROM sqlite_master WHERE type = 'view' ORDER BY rowid") { row in
            (Name(try row.get(0) as String), sql: try row.get(1))
        }
    }

    /// Returns the tables in which virtual tables store their rows. Before SQLite 3.37, which does not report them, none.
    private func shadowTables() throws -> Set<Name> {
        let names: [String]? = try? connection.query(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'")
        return Set((names ?? []).map { Name($0) })
    }

    private func virtualTables() throws -> [Name: VirtualTable] {
        let tables: [(Name, VirtualTable?)] = try connection.query(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND rootpage = 0"
        ) { row in
            (Name(try row.get(0) as String), VirtualTable(try row.get(1) ?? ""))
        }
        return Dictionary(tables.compactMap { name, table in table.map { (name, $0) } }) { $1 }
    }
}

// MARK: - Tables

extension CatalogReader {
    private func table(
        _ name: Name, _ definition: TableDefinition, _ columns: [Column], _ all: [Name: TableDefinition]
    ) -> CatalogTable {
        let rowID = definition.rowIDColumn.map { Name($0) }
        let references = definition.rowIDReferences(all)
        let truths = definition.truths
        let declared = declarations[name]
        let typed = columns.map { column in
            let isRowID = column.name == rowID
            let affinity = ValueType(declared: column.type)
            let type: ValueType? =
                if isRowID || affinity == .int && references.contains(column.name) {
                    .rowID
                } else if affinity == .int, truths.contains(column.name) {
                    .bool
                } else {
                    affinity
                }
            return column.typed(
                declared[column.name]?.type ?? type, isNotNull: column.isNotNull || isRowID, isRowID: isRowID)
        }
        return CatalogTable(name: name, kind: .table, columns: typed, hasRowID: !definition.isWithoutRowID)
    }

    private func table(_ name: Name, _ table: VirtualTable, _ columns: [Column]) -> CatalogTable {
        let declared = declarations[name]
        let typed = columns.enumerated().map { index, column in
            let (type, isNotNull) = table.type(
                ofColumn: column.name, at: index, declared: column.type, isHidden: column.hidden == 1)
            return column.typed(declared[column.name]?.type ?? type, isNotNull: isNotNull)
        }
        return CatalogTable(name: name, kind: .virtual(module: table.module), columns: typed, hasRowID: true)
    }

    private func view(_ name: Name, _ sql: String) throws -> CatalogTable {
        let declared = declarations[name]
        let columns: [CatalogColumn] = try connection.query(
            "SELECT name FROM pragma_table_xinfo(\(name.spelling), 'main')"
        ) { (row: Row) in
            let column = Name(try row.get(0) as String)
            // The types of a view are those of its SELECT.
            return CatalogColumn(
                name: column, declaredType: "", isNotNull: false, isRowID: false, isHidden: false,
                type: declared[column]?.type)
        }
        return CatalogTable(name: name, kind: .view(sql: sql), columns: columns, hasRowID: false)
    }
}
