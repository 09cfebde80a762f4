import Squall

/// A table of a FROM clause.
final class Source {
    /// A column that can be named.
    struct Column: Hashable {
        /// The name; `nil` for an expression without an alias.
        let name: Identifier?
        var type: ValueType?
        var isNullable: Bool
        var isHidden = false
    }

    let id: Int
    /// The name by which columns can be qualified: the alias, or the name of the table.
    let name: Identifier?
    let columns: [Column]
    let hasRowID: Bool
    /// Whether an outer join adds rows in which all columns are NULL.
    var hasNullRows = false

    init(id: Int, name: Identifier?, columns: [Column], hasRowID: Bool = false) {
        self.id = id
        self.name = name
        self.columns = columns
        self.hasRowID = hasRowID
    }

    func column(_ name: Identifier) -> Column? {
        if let column = columns.first(where: { $0.name == name }) { return column }
        guard hasRowID, CatalogTable.rowIDNames.contains(name) else { return nil }
        return Column(name: name, type: .rowID, isNullable: false, isHidden: true)
    }
}

/// The tables and names that the expressions of a SELECT can use.
final class Scope {
    let parent: Scope?
    var sources: [Source] = []
    /// The columns that USING and NATURAL merge: those of a name are one.
    var merged: Set<Identifier> = []
    /// Columns that a condition proves not to be NULL.
    var notNull: Set<ColumnOrigin> = []
    /// Columns that the conditions of CASE prove not to be NULL in the branch that is being inferred.
    var notNullInBranch: Set<ColumnOrigin> = []
    /// The expressions of the result that have an alias.
    var aliases: [Identifier: Expression] = [:]
    var windows: [Identifier: WindowDefinition] = [:]
    /// Whether the SELECT has a GROUP BY.
    var isGrouped = false
    /// Whether the SELECT has an aggregate of its rows.
    var hasAggregate = false
    /// Whether the SELECT has one row even if it reads none: an aggregate without GROUP BY.
    var canBeEmptyGroup = false
    /// The number of aggregates around the expression that is being inferred.
    var aggregateDepth = 0

    init(parent: Scope?) {
        self.parent = parent
    }

    /// Notes an aggregate of the rows of this scope.
    ///
    /// - Parameter isCertain: Whether it is not one of the rows of an outer scope.
    func noteAggregate(isCertain: Bool) {
        if isCertain { hasAggregate = true }
        if !isGrouped { canBeEmptyGroup = true }
    }

    /// Returns the scopes whose rows an aggregate can be of: this one, if all columns of its arguments are of this scope, and
    /// otherwise also the outer ones. SQLite decides by the columns that remain after it has simplified the arguments.
    func owners(of arguments: [Expression]) -> [Scope] {
        let columns = arguments.flatMap(\.columns)
        guard !columns.allSatisfy({ find($0.name, in: $0.table) != nil }) else { return [self] }
        return Array(sequence(first: self) { $0.parent })
    }

    /// Returns the table and the column of a name in this scope.
    func find(_ name: Identifier, in table: Identifier?) -> (Source, Source.Column)? {
        for source in sources where table == nil || source.name == table {
            if let column = source.column(name) { return (source, column) }
        }
        return nil
    }
}
