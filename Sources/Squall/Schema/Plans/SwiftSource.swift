// Writes definitions as the Swift source of the steps that create them.

extension String {
    /// The text as a Swift string literal.
    package var swiftLiteral: String { debugDescription }
}

extension ColumnDefinition {
    /// `"url", sql: "TEXT NOT NULL"`
    var swiftArguments: String {
        "\(name.swiftLiteral), sql: \(clauses.joined(separator: " ").text.swiftLiteral)"
    }
}

extension TableDefinition {
    /// `CreateTable("cars") { … }`, followed by one line for each index.
    var swiftSource: String {
        ([isMadeByStep ? createTable : "Execute(\(sql.text.swiftLiteral))"] + indexes.map(\.swiftSource)).joined(
            separator: "\n")
    }

    private var createTable: String {
        var options: [String] = []
        if isStrict { options.append(".strict") }
        if isWithoutRowID { options.append(".withoutRowID") }
        for constraint in constraints {
            options.append(".constraint(TableConstraint(\(constraint.swiftNameFirst)\(constraint.kind.swiftSource)))")
        }
        let head = ([name.swiftLiteral] + options).joined(separator: ", ")
        let lines = columns.map { "    ColumnDef(\($0.swiftArguments))\n" }.joined()
        return "CreateTable(\(head)) {\n\(lines)}"
    }

    /// Whether ``CreateTable`` creates exactly this table. It makes key columns `NOT NULL`, which those of a file need not
    /// be.
    private var isMadeByStep: Bool {
        var options = constraints.map { TableOption.constraint($0) }
        if isStrict { options.append(.strict) }
        if isWithoutRowID { options.append(.withoutRowID) }
        return CanonicalTable(TableDefinition(name, columns, options)) == CanonicalTable(self)
    }
}

extension TableConstraint {
    var swiftName: String { name.map { ", named: \($0.swiftLiteral)" } ?? "" }
    fileprivate var swiftNameFirst: String { name.map { "name: \($0.swiftLiteral), " } ?? "" }
}

extension TableConstraint.Kind {
    var swiftSource: String {
        switch self {
        case .primaryKey(let columns, let conflict): ".primaryKey([\(columns.swiftSource)]\(conflict.swiftArgument))"
        case .unique(let columns, let conflict): ".unique([\(columns.swiftSource)]\(conflict.swiftArgument))"
        case .check(let condition): ".check(\(condition.withLiterals.text.swiftLiteral))"
        case .foreignKey(let columns, let reference):
            ".foreignKey([\(columns.map(\.swiftLiteral).joined(separator: ", "))], \(reference.swiftSource))"
        }
    }
}

extension ForeignKeyReference {
    fileprivate var swiftSource: String {
        var parts = ["table: \(table.swiftLiteral)"]
        if !columns.isEmpty { parts.append("columns: [\(columns.map(\.swiftLiteral).joined(separator: ", "))]") }
        if let onDelete { parts.append("onDelete: .\(onDelete)") }
        if let onUpdate { parts.append("onUpdate: .\(onUpdate)") }
        if let deferral { parts.append("deferral: .\(deferral)") }
        return "ForeignKeyReference(\(parts.joined(separator: ", ")))"
    }
}

extension ConflictResolution? {
    fileprivate var swiftArgument: String { map { ", onConflict: .\($0)" } ?? "" }
}

extension [IndexedColumn] {
    fileprivate var swiftSource: String {
        map { column in
            if column.collation == nil, column.order == nil, let name = column.columnName { return name.swiftLiteral }
            var parts: [String] = []
            switch column.term {
            case .column(let name): parts.append(name.swiftLiteral)
            case .expression(let sql): parts.append(".expression(\(sql.withLiterals.text.swiftLiteral))")
            }
            if let collation = column.collation { parts.append("collation: \(collation.swiftLiteral)") }
            if let order = column.order { parts.append("order: .\(order)") }
            return "IndexedColumn(\(parts.joined(separator: ", ")))"
        }.joined(separator: ", ")
    }
}

extension IndexDefinition {
    fileprivate var swiftSourceEnd: String {
        (isUnique ? ", unique: true" : "") + (condition.map { ", where: \($0.withLiterals.text.swiftLiteral)" } ?? "")
    }

    var swiftSource: String {
        "CreateIndex(\(name.swiftLiteral), on: \(table.swiftLiteral), \(columns.swiftSource)\(swiftSourceEnd))"
    }
}
