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
        let columns = try columns(of: tables)
        let rowIDs = try rowIDs(tables, columns)
        let references = try references(of: tables, to: rowIDs)
        for (name, table) in tables {
            let columns = columns[name] ?? []
            switch table {
            case .plain(let sql, let hasRowID):
                let truths = CheckConstraint.truths(of: columns.map { Identifier($0.name) }, in: sql)
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
    private typealias Column = SchemaCatalog.Column

    /// A table that is neither a view nor one of SQLite's own, nor stores a virtual table.
    private enum Table {
        case plain(sql: String, hasRowID: Bool)
        case virtual(VirtualTable)
    }

    private var schema: SchemaCatalog { connection.catalog() }

    private func tables() throws -> [(Identifier, Table)] {
        let listings = Dictionary(try schema.listings().map { (Identifier($0.name), $0) }) { first, _ in first }
        return try schema.entries(.table, by: .creation).compactMap { table in
            let name = Identifier(table.name)
            guard !table.isOfSQLite, let listing = listings[name], listing.kind != .shadow, let sql = table.sql else {
                return nil
            }
            let virtual = listing.kind == .virtual ? VirtualTable(sql, hasRowID: !listing.isWithoutRowID) : nil
            return (name, virtual.map { .virtual($0) } ?? .plain(sql: sql, hasRowID: !listing.isWithoutRowID))
        }
    }

    private func columns(of tables: [(Identifier, Table)]) throws -> [Identifier: [Column]] {
        let columns = try tables.map { ($0.0, try schema.allColumns(ofTable: $0.0.spelling)) }
        return Dictionary(columns) { first, _ in first }
    }

    /// Returns the columns that are other names of rowids.
    private func rowIDs(
        _ tables: [(Identifier, Table)], _ columns: [Identifier: [Column]]
    ) throws -> [Identifier: Identifier] {
        var found: [Identifier: Identifier] = [:]
        for case (let name, .plain) in tables {
            let column = try schema.rowIDColumn(ofTable: name.spelling, among: columns[name] ?? [])
            found[name] = column.map { Identifier($0.name) }
        }
        return found
    }

    /// Returns the columns that refer to rowids by foreign keys.
    private func references(
        of tables: [(Identifier, Table)], to rowIDs: [Identifier: Identifier]
    ) throws -> [Identifier: Set<Identifier>] {
        var found: [Identifier: Set<Identifier>] = [:]
        for case (let name, .plain) in tables {
            for key in try schema.foreignKeys(ofTable: name.spelling) {
                guard let rowID = rowIDs[Identifier(key.parent)] else { continue }
                // Without the name of a column, the primary key is meant.
                let columns = key.columns.filter { $0.parent.map { Identifier($0) == rowID } ?? true }
                found[name, default: []].formUnion(columns.map { Identifier($0.name) })
            }
        }
        return found
    }

    private func views() throws -> [(Identifier, sql: String)] {
        try schema.entries(.view, by: .creation).map { (Identifier($0.name), sql: $0.sql ?? "") }
    }
}

extension SchemaCatalog.Column {
    fileprivate func typed(_ type: ValueType?, isNotNull: Bool, isRowID: Bool = false) -> CatalogColumn {
        CatalogColumn(
            name: Identifier(name), declaredType: self.type, isNotNull: isNotNull, isRowID: isRowID,
            isHidden: storage == .hidden, isGenerated: isGenerated, type: type)
    }
}

// MARK: - Types

extension CatalogReader {
    private func typed(
        _ columns: [Column], _ rowID: Identifier?, _ references: Set<Identifier>, _ truths: Set<Identifier>,
        _ declared: [Identifier: TypeDeclaration]
    ) -> [CatalogColumn] {
        columns.map { column in
            let name = Identifier(column.name)
            let isRowID = name == rowID
            let affinity = ValueType(declared: column.type)
            let type: ValueType? =
                if isRowID || affinity == .int && references.contains(name) {
                    .rowID
                } else if affinity == .int, truths.contains(name) {
                    .bool
                } else {
                    affinity
                }
            return column.typed(
                declared[name]?.type ?? type, isNotNull: column.isNotNull || isRowID, isRowID: isRowID)
        }
    }

    private func table(_ name: Identifier, _ table: VirtualTable, _ columns: [Column]) -> CatalogTable {
        let declared = declarations[name]
        let typed = columns.enumerated().map { index, column in
            let name = Identifier(column.name)
            let (type, isNotNull) = table.type(
                ofColumn: name, at: index, declared: column.type, isHidden: column.storage == .hidden)
            return column.typed(declared[name]?.type ?? type, isNotNull: isNotNull)
        }
        return CatalogTable(name: name, kind: .virtual(module: table.module), columns: typed, hasRowID: table.hasRowID)
    }

    private func view(_ name: Identifier, _ sql: String) throws -> CatalogTable {
        let declared = declarations[name]
        let columns = try schema.allColumns(ofTable: name.spelling).map { column in
            let column = Identifier(column.name)
            // The types of a view are those of its SELECT.
            return CatalogColumn(
                name: column, declaredType: "", isNotNull: false, isRowID: false, isHidden: false,
                type: declared[column]?.type)
        }
        return CatalogTable(name: name, kind: .view(sql: sql), columns: columns, hasRowID: false)
    }
}
