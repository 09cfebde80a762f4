import SquallSQLite

/// A virtual table of a connection.
@usableFromInline
final class TableBox {
    let columns: ColumnList
    /// The binders of the columns, without those of the parameters.
    let binders: [FieldBinder]
    /// The `CREATE TABLE` statement that SQLite gets.
    let definition: String
    let requiredParameters: [Bool]
    let plan: (VirtualTablePlanQuery) throws -> VirtualTablePlan
    /// Makes the reader of a cursor.
    let makeReader: () -> RowReader
    let drop: () throws -> Void
    /// The table as one that can be written; `nil` for a table that is only read.
    let writable: (any WritableTableSource)?

    @usableFromInline
    init<Row>(
        columns: [VirtualColumn<Row>], plan: @escaping (VirtualTablePlanQuery) throws -> VirtualTablePlan,
        drop: @escaping () throws -> Void, writable: (any WritableTableSource)?,
        makeReader: @escaping () -> RowReader
    ) throws {
        var values: [VirtualColumn<Row>] = []
        var binders: [FieldBinder] = []
        var parameters: [VirtualColumn<Row>] = []
        var required: [Bool] = []
        for column in columns {
            switch column.role {
            case .value(let binder):
                values.append(column)
                binders.append(binder)
            case .parameter(let isRequired):
                parameters.append(column)
                required.append(isRequired)
            }
        }
        let all = (values + parameters).map { Identifier($0.name) }
        guard !values.isEmpty, Set(all).count == all.count else {
            throw SQLiteError(
                code: SQLITE_ERROR,
                message: values.isEmpty
                    ? "a virtual table needs a column" : "a virtual table has two columns of the same name")
        }
        let affinities = (values + parameters).map { Affinity($0.type) }
        self.columns = ColumnList(names: all, affinities: affinities, valueCount: values.count)
        requiredParameters = required
        let definitions =
            try values.map { try Self.definition($0) } + parameters.map { "\(name: $0.name) HIDDEN" as SQL }
        let list = definitions.joined(separator: ", ")
        let sql: SQL = "CREATE TABLE x(\(list))"
        if let failure = sql.failure { throw failure }
        definition = sql.text
        self.plan = plan
        self.drop = drop
        self.writable = writable
        self.binders = binders
        self.makeReader = makeReader
    }

    /// Words that end the type of a column.
    private static let constraintWords: Set<Substring> = [
        "HIDDEN", "PRIMARY", "KEY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "GENERATED",
        "AS",
        "CONSTRAINT",
    ]

    private static func definition<Row>(_ column: VirtualColumn<Row>) throws -> SQL {
        var sql: SQL = "\(name: column.name)"
        if !column.type.isEmpty {
            guard column.type.wholeMatch(of: /[A-Za-z_][A-Za-z_0-9 ]*(\([0-9, ]+\))?/) != nil,
                !column.type.uppercased().split(separator: " ").contains(where: Self.constraintWords.contains)
            else {
                throw SQLiteError(
                    code: SQLITE_MISUSE, message: "\(column.type) is not the type of a column, for \(column.name)")
            }
            sql += " \(raw: column.type)"
        }
        if let collation = column.collation { sql += " COLLATE \(name: collation)" }
        return sql
    }
}

extension TableBox {
    /// Plans a statement.
    ///
    /// - Returns: `SQLITE_OK`, or `SQLITE_CONSTRAINT` if SQLite must take another order of the tables, because a parameter has no value yet.
    func plan(_ info: UnsafeMutablePointer<sqlite3_index_info>, of name: String) throws -> Int32 {
        var parameters: [(constraint: Int, number: Int)] = []
        var isIncomplete = false
        let terms = UnsafeBufferPointer(start: info.pointee.aConstraint, count: Int(info.pointee.nConstraint))
        for number in requiredParameters.indices {
            let candidates = terms.indices.filter {
                Int(terms[$0].iColumn) == columns.valueCount + number
                    && Int32(terms[$0].op) == SQLITE_INDEX_CONSTRAINT_EQ
            }
            if let usable = candidates.first(where: { terms[$0].usable != 0 }) {
                parameters.append((usable, number))
            } else if !candidates.isEmpty {
                return SQLITE_CONSTRAINT
            } else if requiredParameters[number] {
                // For an OR, SQLite requests plans with the terms of one branch. A scan without the parameter fails.
                isIncomplete = true
            }
        }
        let query = VirtualTablePlanQuery(info, columns)
        try plan(query).write(to: info, of: name, columns, constraints: query.constraints, parameters: parameters)
        if isIncomplete { info.pointee.estimatedCost = 1e200 }
        return SQLITE_OK
    }
}

/// A table that SQLite has open, and its module.
final class OpenTable: KeptObject {
    let module: ModuleBox
    let table: TableBox
    let name: String

    init(module: ModuleBox, table: TableBox, name: String) {
        self.module = module
        self.table = table
        self.name = name
        super.init(callbacks: module.callbacks)
    }
}
