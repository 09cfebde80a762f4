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
        let tables = try tables()
        let columns = try columnsOfTables()
        let rowIDs = try rowIDs(tables, columns)
        let references = try references(to: rowIDs)
        for (name, table) in tables {
            let columns = columns[name] ?? []
            switch table {
            case .plain(let sql, let hasRowID):
                let truths = CheckConstraint.truths(of: columns.map(\.name), in: sql)
                catalog.tables[name] = CatalogTable(
                    name: name, kind: .table,
                    columns: typed(columns, rowIDs[name], references[name] ?? [], truths, declarations[name]),
                    hasRowID: hasRowID)
            case .virtual(let table): catalog.tables[name] = self.table(name, table, columns)
            }
        }
        for (name, sql) in try views() { catalog.tables[name] = try view(name, sql) }
        return catalog
    }

    /// Returns the views that cannot be read, with their errors: SQLite does not check a view when it is created.
    func brokenViews() throws -> [(view: Identifier, error: SQLiteError)] {
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
        let name: Identifier
        let type: String
        let isNotNull: Bool
        /// 1 for a hidden column, 2 and 3 for a generated one.
        let hidden: Int
        /// The place in the primary key, from 1; 0 for a column that is not in it.
        let keyPlace: Int

        func typed(_ type: ValueType?, isNotNull: Bool, isRowID: Bool = false) -> CatalogColumn {
            CatalogColumn(
                name: name, declaredType: self.type, isNotNull: isNotNull, isRowID: isRowID, isHidden: hidden == 1,
                isGenerated: hidden > 1, type: type)
        }
    }

    /// A table that is neither a view nor one of SQLite's own, nor stores a virtual table.
    private enum Table {
        case plain(sql: String, hasRowID: Bool)
        case virtual(VirtualTable)
    }

    private func tables() throws -> [(Identifier, Table)] {
        try connection.query(
            """
            SELECT m.name, m.sql, l.type = 'virtual', l.wr FROM sqlite_master AS m JOIN pragma_table_list AS l \
            ON l.schema = 'main' AND l.name = m.name WHERE m.type = 'table' AND l.type IN ('table', 'virtual') \
            AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.rowid
            """
        ) { row in
            let (name, sql): (String, String) = (try row.get(0), try row.get(1))
            let (isVirtual, hasNoRowID): (Bool, Bool) = (try row.get(2), try row.get(3))
            let virtual = isVirtual ? VirtualTable(sql, hasRowID: !hasNoRowID) : nil
            return (Identifier(name), virtual.map { .virtual($0) } ?? .plain(sql: sql, hasRowID: !hasNoRowID))
        }
    }

    private func columnsOfTables() throws -> [Identifier: [Column]] {
        let rows: [(Identifier, Column)] = try connection.query(
            """
            SELECT m.name, x.name, x.type, x."notnull", x.hidden, x.pk \
            FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name, 'main') AS x \
            WHERE m.type = 'table' ORDER BY m.rowid, x.cid
            """
        ) { row in
            let column = Column(
                name: Identifier(try row.get(1) as String), type: try row.get(2) ?? "", isNotNull: try row.get(3),
                hidden: try row.get(4), keyPlace: try row.get(5))
            return (Identifier(try row.get(0) as String), column)
        }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
    }

    /// Returns the columns that are other names of rowids: the primary keys of the type INTEGER for which SQLite has
    /// made no index.
    private func rowIDs(_ tables: [(Identifier, Table)], _ columns: [Identifier: [Column]]) throws -> [Identifier:
        Identifier]
    {
        let indexed: [String] = try connection.query(
            """
            SELECT m.name FROM sqlite_master AS m JOIN pragma_index_list(m.name, 'main') AS i \
            WHERE m.type = 'table' AND i.origin = 'pk'
            """)
        let withIndex = Set(indexed.map { Identifier($0) })
        var found: [Identifier: Identifier] = [:]
        for case (let name, .plain) in tables where !withIndex.contains(name) {
            let key = columns[name]?.filter { $0.keyPlace > 0 } ?? []
            if key.count == 1, Identifier(key[0].type) == "INTEGER" { found[name] = key[0].name }
        }
        return found
    }

    /// Returns the columns that refer to rowids by foreign keys.
    private func references(to rowIDs: [Identifier: Identifier]) throws -> [Identifier: Set<Identifier>] {
        let rows: [(table: Identifier, column: Identifier, parent: Identifier, key: String?)] = try connection.query(
            """
            SELECT m.name, f."from", f."table", f."to" \
            FROM sqlite_master AS m JOIN pragma_foreign_key_list(m.name, 'main') AS f WHERE m.type = 'table'
            """
        ) { row in
            (
                table: Identifier(try row.get(0) as String), column: Identifier(try row.get(1) as String),
                parent: Identifier(try row.get(2) as String), key: try row.get(3)
            )
        }
        var found: [Identifier: Set<Identifier>] = [:]
        for row in rows {
            // Without the name of a column, the primary key is meant.
            if let rowID = rowIDs[row.parent], row.key.map({ Identifier($0) == rowID }) ?? true {
                found[row.table, default: []].insert(row.column)
            }
        }
        return found
    }

    private func views() throws -> [(Identifier, sql: String)] {
        try connection.query("SELECT name, sql FROM sqlite_master WHERE type = 'view' ORDER BY rowid") { row in
            (Identifier(try row.get(0) as String), sql: try row.get(1))
        }
    }
}

// MARK: - Types

extension CatalogReader {
    private func typed(
        _ columns: [Column], _ rowID: Identifier?, _ references: Set<Identifier>, _ truths: Set<Identifier>,
        _ declared: [Identifier: TypeDeclaration]
    ) -> [CatalogColumn] {
        columns.map { column in
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
    }

    private func table(_ name: Identifier, _ table: VirtualTable, _ columns: [Column]) -> CatalogTable {
        let declared = declarations[name]
        let typed = columns.enumerated().map { index, column in
            let (type, isNotNull) = table.type(
                ofColumn: column.name, at: index, declared: column.type, isHidden: column.hidden == 1)
            return column.typed(declared[column.name]?.type ?? type, isNotNull: isNotNull)
        }
        return CatalogTable(name: name, kind: .virtual(module: table.module), columns: typed, hasRowID: table.hasRowID)
    }

    private func view(_ name: Identifier, _ sql: String) throws -> CatalogTable {
        let declared = declarations[name]
        let columns: [CatalogColumn] = try connection.query(
            "SELECT name FROM pragma_table_xinfo(\(name.spelling), 'main')"
        ) { (row: Row) in
            let column = Identifier(try row.get(0) as String)
            // The types of a view are those of its SELECT.
            return CatalogColumn(
                name: column, declaredType: "", isNotNull: false, isRowID: false, isHidden: false,
                type: declared[column]?.type)
        }
        return CatalogTable(name: name, kind: .view(sql: sql), columns: columns, hasRowID: false)
    }
}
