import Squall

/// Finds the types and the nullability of the results and the parameters of one statement.
///
/// Nothing is guessed: an expression whose type is not certain has none, and a value is not NULL only by proof. It is assumed that
/// values have the types of their columns, which a STRICT table enforces; a value that has not is an error when the query reads it.
final class Analysis {
    let catalog: Catalog
    /// The declared types of parameters, by name with the prefix.
    let declared: [String: TypeDeclaration]
    private(set) var uses: [ParameterUse] = []
    private var sourceCount = 0
    /// The number of expressions that have been inferred.
    var stepCount = 0
    /// Whether the SELECT that was inferred last has one row whatever the tables contain.
    var hasOneRow = false
    /// The SQL of the columns that `*` stands for, by its places; with an empty range, those of an INSERT without a list.
    var stars: [Range<Int>: [String?]] = [:]
    /// The views that are being read, which cannot contain themselves.
    private(set) var openViews: Set<Identifier> = []
    /// The columns of the views that have been read.
    private var viewColumns: [Identifier: [Source.Column]] = [:]
    /// The common tables that are visible.
    var commonTables: [Identifier: [Source.Column]] = [:]

    /// A place where the type of a parameter is known.
    struct ParameterUse: Hashable {
        let parameter: String
        let type: ValueType?
        /// Whether NULL makes sense there: as a value of a nullable column, or beside IS.
        let allowsNull: Bool
        /// Whether NULL is refused there: as a value of a NOT NULL column.
        var refusesNull = false
        var isList = false
    }

    init(catalog: Catalog, declared: [String: TypeDeclaration] = [:]) {
        self.catalog = catalog
        self.declared = declared
    }

    func use(_ use: ParameterUse) {
        uses.append(use)
    }

    func makeSource(_ name: Identifier?, _ columns: [Source.Column], hasRowID: Bool = false) -> Source {
        sourceCount += 1
        return Source(id: sourceCount, name: name, columns: columns, hasRowID: hasRowID)
    }
}

// MARK: - Tables

extension Analysis {
    /// Returns the columns of a table, a view or a common table; `nil` for a table that the schema does not have.
    func columns(ofTable name: Identifier, schema: Identifier? = nil) -> (columns: [Source.Column], hasRowID: Bool)? {
        if schema == nil, let columns = commonTables[name] { return (columns, false) }
        guard let table = catalog.tables[name] else {
            return Self.schemaTables.contains(name) ? (Self.schemaColumns, true) : nil
        }
        if case .view(let sql) = table.kind { return (columns(ofView: table, sql), false) }
        let columns = table.columns.map { column in
            Source.Column(
                name: column.name, type: column.type, isNullable: !column.isNotNull, isHidden: column.isHidden)
        }
        return (columns, table.hasRowID)
    }

    private static let schemaTables: Set<Identifier> = ["sqlite_master", "sqlite_schema"]
    private static let schemaColumns = [
        ("type", .string), ("name", .string), ("tbl_name", .string), ("rootpage", .int), ("sql", .string),
    ]
    .map { (name: Identifier, type: ValueType) in Source.Column(name: name, type: type, isNullable: true) }

    private func columns(ofView view: CatalogTable, _ sql: String) -> [Source.Column] {
        let unknown = view.columns.map { Source.Column(name: $0.name, type: $0.type, isNullable: true) }
        if let known = viewColumns[view.name] { return known }
        guard openViews.insert(view.name).inserted else { return unknown }
        let outer = commonTables
        commonTables = [:]
        defer {
            openViews.remove(view.name)
            commonTables = outer
        }
        guard let select = try? Parser.view(sql) else { return unknown }
        let results = infer(select, in: nil)
        guard results.count == view.columns.count else { return unknown }
        let columns = zip(view.columns, results).map { column, result in
            Source.Column(
                name: column.name, type: column.type ?? result.value.type, isNullable: result.value.isNullable)
        }
        viewColumns[view.name] = columns
        return columns
    }

    /// Adds the tables of a FROM clause to a scope.
    ///
    /// - Parameter isPreserved: Whether each row of the result has a row of these tables, so that conditions of inner
    ///   joins hold for it.
    @discardableResult
    func add(_ tables: TableExpression, to scope: Scope, isPreserved: Bool = true) -> [Source] {
        switch tables {
        case .table(let schema, let name, let alias):
            let found = columns(ofTable: name, schema: schema)
            let source = makeSource(alias ?? name, found?.columns ?? [], hasRowID: found?.hasRowID ?? false)
            scope.sources.append(source)
            return [source]
        case .function(let name, let arguments, let alias):
            for argument in arguments { _ = infer(argument, in: scope, expecting: .string) }
            // A virtual table can be called with its conditions: `words('hello')`.
            let columns =
                catalog.tables[name] == nil ? Self.columns(ofFunction: name) : self.columns(ofTable: name)?.columns
            let source = makeSource(alias ?? name, columns ?? [])
            scope.sources.append(source)
            return [source]
        case .subquery(let select, let alias):
            // A subquery of a FROM clause does not see the other tables of it.
            let source = makeSource(alias, infer(select, in: scope.parent).map(\.column))
            scope.sources.append(source)
            return [source]
        case .join(let left, let kind, let right, let constraint):
            let leftSources = add(left, to: scope, isPreserved: isPreserved && !kind.keepsRight)
            let rightSources = add(right, to: scope, isPreserved: isPreserved && !kind.keepsLeft)
            if kind.keepsLeft { for source in rightSources { source.hasNullRows = true } }
            if kind.keepsRight { for source in leftSources { source.hasNullRows = true } }
            join(leftSources, rightSources, by: constraint, in: scope)
            if case .on(let condition) = constraint, kind == .inner, isPreserved { assume(condition, in: scope) }
            return leftSources + rightSources
        }
    }

    private func join(
        _ left: [Source], _ right: [Source], by constraint: TableExpression.JoinConstraint, in scope: Scope
    ) {
        switch constraint {
        case .none: break
        case .on(let condition): _ = infer(condition, in: scope)
        case .using(let names): scope.merged.formUnion(names)
        case .natural:
            let names = { (sources: [Source]) in
                Set(sources.flatMap { $0.columns.filter { !$0.isHidden }.compactMap(\.name) })
            }
            scope.merged.formUnion(names(left).intersection(names(right)))
        }
    }

    private static func columns(ofFunction name: Identifier) -> [Source.Column] {
        func column(_ name: Identifier, _ type: ValueType?, isNullable: Bool = true) -> Source.Column {
            Source.Column(name: name, type: type, isNullable: isNullable)
        }
        switch name {
        case "json_each", "json_tree":
            return [
                column("key", nil), column("value", nil), column("type", .string, isNullable: false),
                column("atom", nil), column("id", .int), column("parent", .int),
                column("fullkey", .string, isNullable: false), column("path", .string, isNullable: false),
            ]
        case "generate_series": return [column("value", .int, isNullable: false)]
        default: return []
        }
    }
}
