import SquallSQLite

/// The plan by which SQLite runs a statement.
///
///     let plan = try connection.explainQueryPlan(
///         "SELECT * FROM cars JOIN makers ON makers.id = maker")
///     print(plan)
///     // QUERY PLAN
///     // |--SCAN cars
///     // `--SEARCH makers USING INTEGER PRIMARY KEY (rowid=?)
public struct QueryPlan: Hashable, Sendable {
    /// A step of a plan.
    public struct Node: Hashable, Sendable {
        public let id: Int
        /// The id of the step that contains this one; 0 for a top-level step.
        public let parent: Int
        /// SQLite's description of the step, which differs between versions.
        public let detail: String
        /// The steps inside this one, in order.
        public fileprivate(set) var children: [Node]
    }

    /// The top-level steps, in order.
    public let nodes: [Node]

    /// All steps, each before the steps inside it.
    public var all: [Node] { nodes.flatMap(\.all) }

    init(rows: [(id: Int, parent: Int, detail: String)]) {
        // A step follows the step that contains it. From the end, the parts of a step are therefore complete when it is
        // reached.
        var parts: [Int: [Node]] = [:]
        for row in rows.reversed() {
            let children = parts.removeValue(forKey: row.id) ?? []
            let node = Node(id: row.id, parent: row.parent, detail: row.detail, children: children.reversed())
            parts[row.parent, default: []].append(node)
        }
        nodes = parts[0]?.reversed() ?? []
    }
}

extension QueryPlan.Node {
    fileprivate var all: [Self] { [self] + children.flatMap(\.all) }

    fileprivate func lines(prefix: String, isLast: Bool) -> [String] {
        [prefix + (isLast ? "`--" : "|--") + detail]
            + Self.lines(of: children, prefix: prefix + (isLast ? "   " : "|  "))
    }

    fileprivate static func lines(of nodes: [Self], prefix: String) -> [String] {
        nodes.enumerated().flatMap { index, node in
            node.lines(prefix: prefix, isLast: index == nodes.count - 1)
        }
    }
}

extension QueryPlan: CustomStringConvertible {
    /// The plan as the `sqlite3` shell prints it.
    @_documentation(visibility: internal)
    public var description: String {
        (["QUERY PLAN"] + Node.lines(of: nodes, prefix: "")).joined(separator: "\n")
    }
}

extension Connection {
    /// Returns the plan of a statement, without running the statement: `EXPLAIN QUERY PLAN` and the statement.
    ///
    ///     try connection.explainQueryPlan("SELECT * FROM cars WHERE price > \(limit)")
    ///
    /// The parameters may be left out.
    ///
    /// - Throws: ``SQLiteError`` for SQL that is wrong, has no statement or more than one, and for a wrong number of
    ///   values.
    public func explainQueryPlan<each P: StatementParameter>(
        _ sql: SQL, _ parameters: repeat each P
    ) throws -> QueryPlan {
        try plan(of: prepare("EXPLAIN QUERY PLAN \(sql)", repeat each parameters))
    }

    /// Returns the query plan of a statement with a list of values: in order, or by the names of the parameters.
    ///
    /// - Throws: ``SQLiteError`` for SQL that is wrong, has no statement or more than one, a wrong number of values, and a
    ///   name that no parameter has.
    @_documentation(visibility: internal)
    public func explainQueryPlan(_ sql: SQL, _ list: some ParameterList) throws -> QueryPlan {
        try plan(of: prepare("EXPLAIN QUERY PLAN \(sql)", list))
    }

    /// Rejects a `String`: the SQL must be a literal or a ``SQL``.
    @available(
        *, unavailable, message: "a String may splice: write a literal, `let sql: SQL = \"…\"`, or SQL(raw: text)"
    )
    public func explainQueryPlan(_ sql: some StringProtocol, _ parameters: (any Bindable)?...) throws -> QueryPlan {
        throw SQLiteError.unavailableError
    }

    private func plan(of statement: Statement) throws -> QueryPlan {
        var rows: [(id: Int, parent: Int, detail: String)] = []
        // The third column is unused.
        try statement.forEach { row in
            try rows.append((id: row.get(0), parent: row.get(1), detail: row.get(3)))
        }
        return QueryPlan(rows: rows)
    }
}

extension Connection {
    /// Calls a closure while `EXPLAIN QUERY PLAN` also returns the steps of triggers and of foreign key actions.
    ///
    /// They follow the steps of the statement, and repeat their ids.
    package func withTriggerPlans<Result>(_ body: () throws -> Result) throws -> Result {
        guard let handle else { throw closedError() }
        squall_set_option(handle, SQLITE_DBCONFIG_TRIGGER_EQP, 1)
        // An authorizer may close the connection.
        defer { if let handle = self.handle { squall_set_option(handle, SQLITE_DBCONFIG_TRIGGER_EQP, 0) } }
        return try body()
    }
}
