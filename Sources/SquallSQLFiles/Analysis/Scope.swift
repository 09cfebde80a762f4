/// A table of a FROM clause.
final class Source {
    /// A column that can be named.
    struct Column: Hashable {
        /// The name; `nil` for an expression without an alias.
        let name: Name?
        var type: ValueType?
        var isNullable: Bool
        var isHidden = false
    }

    let id: Int
    /// The name by which columns can be qualified: the alias, or the name of the table.
    let name: Name?
    let columns: [Column]
    let hasRowID: Bool
    /// Whether an outer join adds rows in which all columns are NULL.
    var hasNullRows = false

    init(id: Int, name: Name?, columns: [Column], hasRowID: Bool = false) {
        self.id = id
        self.name = name
        self.columns = columns
        self.hasRowID = hasRowID
    }

    func column(_ name: Name) -> Column? {
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
    var merged: Set<Name> = []
    /// Columns that a condition proves not to be NULL.
    var notNull: Set<ColumnKey> = []
    /// Columns that the conditions of CASE prove not to be NULL in the branch that is being inferred.
    var notNullInBranch: Set<ColumnKey> = []
    /// The expressions of the result that have an alias.
    var aliases: [Name: Expression] = [:]
    var windows: [Name: WindowDefinition] = [:]
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
    func noteAggregate() {
        hasAggregate = true
        if !isGrouped { canBeEmptyGroup = true }
    }

    /// Returns the scope whose rows an aggregate is of: the innermost that has a column of the arguments, and this one without
    /// columns.
    func owner(of arguments: [Expression]) -> Scope {
        let columns = arguments.flatMap(\.columns)
        var next: Scope? = columns.isEmpty ? nil : self
        while let scope = next {
            if columns.contains(where: { scope.find($0.name, in: $0.table) != nil }) { return scope }
            next = scope.parent
        }
        return self
    }

    /// Returns the table and the column of a name in this scope.
    func find(_ name: Name, in table: Name?) -> (Source, Source.Column)? {
        for source in sources where table == nil || source.name == table {
            if let column = source.column(name) { return (source, column) }
        }
        return nil
    }
}
