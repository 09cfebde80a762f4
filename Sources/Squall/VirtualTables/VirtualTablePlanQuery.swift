import SquallSQLite

/// A request for a plan: the conditions and the order of a statement. SQLite requests several plans, with different constraints, and takes the cheapest.
public struct VirtualTablePlanQuery {
    /// A term of `ORDER BY`, `GROUP BY` or `DISTINCT`.
    public struct Order: Hashable, Sendable {
        /// The column's position, from 0; `nil` for the rowid.
        public let column: Int?
        public let isDescending: Bool
    }

    /// How the rows must be ordered, if the plan consumes the order.
    public enum OrderUse: Hashable, Sendable {
        /// The rows in the order of the terms.
        case orderBy
        /// Rows that are equal in all terms one after another: for `GROUP BY`.
        case groupBy
        /// As `groupBy`, and only one row of each group is needed: for `DISTINCT`.
        case distinct
        /// The rows in the order of the terms, and only one row of each group is needed: for `DISTINCT` with `ORDER BY`.
        case distinctOrderBy
    }

    /// The conditions that the plan may use. Conditions on parameters are not among them.
    public let constraints: [VirtualTableConstraint]
    /// The terms of the order, all of which a plan consumes, or none.
    public let order: [Order]
    /// How the rows must be ordered, if the plan consumes the order.
    public let orderUse: OrderUse
    private let usedColumns: UInt64
    private let columns: ColumnList

    /// Returns the first constraint on a column with an operator: `query.constraint("day", .equal)`.
    public func constraint(_ column: String, _ operation: VirtualTableConstraint.Operator) -> VirtualTableConstraint? {
        guard let index = columns.index(of: column) else { return nil }
        return constraints.first { $0.column == index && $0.operation == operation }
    }

    /// Returns the first constraint on the rowid with an operator.
    public func rowIDConstraint(_ operation: VirtualTableConstraint.Operator) -> VirtualTableConstraint? {
        constraints.first { $0.column == nil && $0.operation == operation && !operation.isOfRows }
    }

    /// Returns `LIMIT` or `OFFSET`, where SQLite passes it.
    public func constraint(_ operation: VirtualTableConstraint.Operator) -> VirtualTableConstraint? {
        constraints.first { $0.operation == operation && operation.isOfRows }
    }

    /// Whether the order is that of one column, or of the rowid for `nil`.
    public func isOrdered(by column: String?, descending: Bool = false) -> Bool {
        guard order.count == 1, order[0].isDescending == descending else { return false }
        return order[0].column == column.flatMap { columns.index(of: $0) }
            && (column == nil) == (order[0].column == nil)
    }

    /// Whether the statement may read a column.
    public func uses(_ column: String) -> Bool {
        guard let index = columns.index(of: column) else { return false }
        return usedColumns & (1 << UInt64(min(index, 63))) != 0
    }

    init(_ info: UnsafeMutablePointer<sqlite3_index_info>, _ columns: ColumnList) {
        self.columns = columns
        let terms = UnsafeBufferPointer(start: info.pointee.aConstraint, count: Int(info.pointee.nConstraint))
        constraints = terms.indices.compactMap { index in
            guard terms[index].usable != 0, !columns.isParameter(Int(terms[index].iColumn)) else { return nil }
            return VirtualTableConstraint(terms[index], at: index, of: info)
        }
        order = UnsafeBufferPointer(start: info.pointee.aOrderBy, count: Int(info.pointee.nOrderBy)).map {
            Order(column: $0.iColumn < 0 ? nil : Int($0.iColumn), isDescending: $0.desc != 0)
        }
        orderUse =
            switch sqlite3_vtab_distinct(info) {
            case 1: .groupBy
            case 2: .distinct
            case 3: .distinctOrderBy
            default: .orderBy
            }
        usedColumns = info.pointee.colUsed
    }
}

/// The columns of a virtual table: first those with values, then the parameters.
struct ColumnList {
    let names: [Identifier]
    let affinities: [Affinity]
    /// The number of columns that have values.
    let valueCount: Int

    func index(of name: String) -> Int? { names.firstIndex(of: Identifier(name)) }

    func isParameter(_ index: Int) -> Bool { index >= valueCount }

    /// Returns the affinity that a comparison gives to its right side.
    func affinity(for constraint: VirtualTableConstraint) -> Affinity {
        guard constraint.operation.isComparison else { return .none }
        guard let column = constraint.column else { return .integer }
        return affinities.indices.contains(column) ? affinities[column] : .none
    }
}
