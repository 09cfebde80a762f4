import Squall

/// The kind of a change that leads from the first file to the second.
enum ChangeKind: String {
    case added, removed, changed

    var sign: String {
        switch self {
        case .added: "+"
        case .removed: "-"
        case .changed: "~"
        }
    }
}

/// A difference between two schemas.
struct SchemaDifference {
    let change: ChangeKind
    /// The kind of the object: `table`, `column`, `index`.
    let kind: String
    /// The table or view that the object belongs to; `nil` for a table or a view.
    let table: String?
    /// The name; empty for a constraint.
    let name: String
    /// The definition in the first file.
    var from: String?
    /// The definition in the second file.
    var to: String?
}

/// Compares two schemas by what they mean, and not by how they are written.
struct SchemaDiff {
    let old: SchemaObjects
    let new: SchemaObjects
    private(set) var differences: [SchemaDifference] = []
    /// The changes of each table that both files have, as far as there are any.
    private(set) var tableChanges: [Identifier: [TableChange]] = [:]

    init(_ old: SchemaObjects, _ new: SchemaObjects) {
        (self.old, self.new) = (old, new)
        for kind in [SchemaEntry.Kind.table, .view] {
            for object in old.objects(kind) where new.object(kind, object.name) == nil {
                differences.append(Self.difference(.removed, object, from: object.sql))
            }
            for object in new.objects(kind) {
                if let before = old.object(kind, object.name) {
                    compare(before, object)
                } else {
                    differences.append(Self.difference(.added, object, to: object.sql))
                }
            }
        }
    }

    /// Whether an object of the first file has the same meaning in the second.
    static func areAlike(_ old: SchemaEntry, _ new: SchemaEntry) -> Bool {
        Identifier(old.table) == Identifier(new.table) && old.normalized == new.normalized
    }

    /// Compares a table or a view that both files have, with its indexes and triggers.
    private mutating func compare(_ before: SchemaEntry, _ after: SchemaEntry) {
        let name = Identifier(after.name)
        var details: [SchemaDifference] = []
        if let table = old.definitions[name], let other = new.definitions[name] {
            let changes = table.changes(to: other).filter { !table.isRestored(by: $0, in: other) }
            let ofTable = changes.filter(\.isOfTable)
            if !ofTable.isEmpty { tableChanges[name] = ofTable }
            details = ofTable.map { $0.difference(in: after.name) }
            details += indexDifferences(changes, after.name)
        } else if !Self.areAlike(before, after) {
            details.append(Self.difference(.changed, after, from: before.sql, to: after.sql))
        }
        details += triggerDifferences(after.name)
        guard !details.isEmpty else { return }
        if details[0].table != nil { differences.append(Self.difference(.changed, after)) }
        differences += details
    }

    private func indexDifferences(_ changes: [TableChange], _ table: String) -> [SchemaDifference] {
        let removed = old.objects(.index, of: table).filter { new.object(.index, $0.name) == nil }
        var result = removed.map { Self.difference(.removed, $0, from: $0.sql) }
        for case .createIndex(let index) in changes {
            guard let after = new.object(.index, index.name) else { continue }
            let before = old.objects(.index, of: table).first { Identifier($0.name) == Identifier(index.name) }
            result.append(
                Self.difference(before == nil ? .added : .changed, after, from: before?.sql, to: after.sql)
            )
        }
        return result
    }

    private func triggerDifferences(_ table: String) -> [SchemaDifference] {
        let (before, after) = (old.objects(.trigger, of: table), new.objects(.trigger, of: table))
        let removed = before.filter { trigger in !after.contains { Identifier($0.name) == Identifier(trigger.name) } }
        return removed.map { Self.difference(.removed, $0, from: $0.sql) }
            + after.compactMap { trigger in
                guard let other = before.first(where: { Identifier($0.name) == Identifier(trigger.name) }) else {
                    return Self.difference(.added, trigger, to: trigger.sql)
                }
                return Self.areAlike(other, trigger)
                    ? nil : Self.difference(.changed, trigger, from: other.sql, to: trigger.sql)
            }
    }

    private static func difference(
        _ change: ChangeKind, _ object: SchemaEntry, from: String? = nil, to: String? = nil
    ) -> SchemaDifference {
        let isPart = object.kind == .index || object.kind == .trigger
        return SchemaDifference(
            change: change, kind: object.isVirtual ? "virtual table" : object.kind.rawValue,
            table: isPart ? object.table : nil, name: object.name, from: from, to: to
        )
    }
}

extension TableDefinition {
    /// Returns whether a step only adds a key again, which the step before takes away with its column. It is not a difference
    /// of the two tables.
    fileprivate func isRestored(by change: TableChange, in other: TableDefinition) -> Bool {
        guard case .addConstraint(let constraint, _) = change, case .primaryKey = constraint.kind else { return false }
        var table = other
        table.constraints = constraints
        return !table.changes(to: other).contains(change)
    }
}

extension TableChange {
    /// Whether the change affects the table itself rather than one of its indexes.
    var isOfTable: Bool {
        switch self {
        case .createIndex, .dropIndex: false
        default: true
        }
    }

    fileprivate func difference(in table: String) -> SchemaDifference {
        switch self {
        case .addColumn(let column, _): Self.column(.added, table, column.name, to: column)
        case .dropColumn(let column, _): Self.column(.removed, table, column.name, from: column)
        case .changeColumn(let before, let after, _):
            Self.column(.changed, table, after.name, from: before, to: after)
        case .addConstraint(let constraint, _):
            SchemaDifference(
                change: .added, kind: "constraint", table: table, name: constraint.name ?? "", to: constraint.text)
        case .dropConstraint(let constraint, _):
            SchemaDifference(
                change: .removed, kind: "constraint", table: table, name: constraint.name ?? "", from: constraint.text)
        case .changeOptions(let strict, let withoutRowID, _):
            SchemaDifference(
                change: .changed, kind: "options", table: table, name: "",
                to: [strict ? "STRICT" : "not STRICT", withoutRowID ? "WITHOUT ROWID" : "with rowid"]
                    .joined(separator: ", ")
            )
        case .createTable, .createIndex, .dropIndex:
            SchemaDifference(change: .changed, kind: "table", table: nil, name: table)
        }
    }

    private static func column(
        _ change: ChangeKind, _ table: String, _ name: String, from: ColumnDefinition? = nil,
        to: ColumnDefinition? = nil
    ) -> SchemaDifference {
        SchemaDifference(
            change: change, kind: "column", table: table, name: name, from: from?.sql.text, to: to?.sql.text)
    }
}

extension TableConstraint {
    /// The constraint as written in `CREATE TABLE`.
    fileprivate var text: String {
        let table = TableDefinition(name: "t", constraints: [self]).sql.text
        return String(table.dropFirst("CREATE TABLE \"t\"(".count).dropLast())
    }
}
