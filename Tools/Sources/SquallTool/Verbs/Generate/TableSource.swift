import Squall
import SquallSQLFiles

/// Writes the declaration of a table as Swift source.
struct TableSource {
    let table: GeneratedTable
    /// All tables of the output, to which relations can lead.
    let all: [GeneratedTable]
    /// `public ` or nothing.
    let access: String
    /// The parts that the declaration cannot express: views, triggers.
    let remarks: [String]

    /// A relation to one record.
    private struct Link {
        let name: String
        let reference: GeneratedTable.Reference
        let property: GeneratedTable.Property
        let target: GeneratedTable
        let key: GeneratedTable.Property

        /// Whether the relation says all that the foreign key says.
        var isForeignKey: Bool { !reference.target.columns.isEmpty && reference.target.deferral == nil }
    }

    private var type: String { SwiftName.escaped(table.type) }

    /// The lines of the declaration.
    var text: String {
        let links = links
        var lines =
            table.definition.name == table.type ? [] : ["/// A row of the table `\(table.definition.name.printable)`."]
        lines += remarks.map { "// \($0)".printable }
        lines.append("\(access.isEmpty ? "" : access)nonisolated struct \(type): TableRecord, Sendable {")
        for property in table.properties {
            lines.append("    \(access)let \(SwiftName.escaped(property.name)): \(property.typeName)")
        }
        if !access.isEmpty { lines += ["", initialiser] }
        if !links.isEmpty { lines.append("") }
        for link in links {
            let from = "\\\(type).\(SwiftName.escaped(link.property.name))"
            let to = "\\\(SwiftName.escaped(link.target.type)).\(SwiftName.escaped(link.key.name))"
            lines.append("    \(access)static let \(SwiftName.escaped(link.name)) = Relation(\(from), to: \(to))")
        }
        lines += ["", declaration(links), "}", ""]
        return lines.joined(separator: "\n")
    }

    private var initialiser: String {
        let parameters = table.properties.map { "\(SwiftName.escaped($0.name)): \($0.typeName)" }
        let assignments = table.properties.map { property in
            "        self.\(SwiftName.escaped(property.name)) = \(SwiftName.escaped(property.name))"
        }
        return "    public init(\n" + parameters.map { "        \($0)" }.joined(separator: ",\n") + "\n    ) {\n"
            + assignments.joined(separator: "\n") + "\n    }"
    }

    private func declaration(_ links: [Link]) -> String {
        let options = options(links)
        let head = "    \(access)static let table = Table("
        let arguments = [table.definition.name.swiftLiteral, "\(type).init"] + options
        let joined = arguments.joined(separator: ", ")
        let isShort = head.count + joined.count < 110
        let start = isShort ? joined : "\n" + arguments.map { "        \($0)" }.joined(separator: ",\n") + "\n    "
        let notes = table.nullableKeys.map {
            "        // The file allows NULL in \($0.swiftLiteral); the declaration does not.\n"
        }
        let columns = table.properties.map { "        \(table.source(of: $0))\n" }
        return head + start + ") {\n" + notes.joined() + columns.joined() + "    }"
    }
}

// MARK: - Options

extension TableSource {
    private func options(_ links: [Link]) -> [String] {
        let definition = table.definition
        var options: [String] = []
        if definition.isStrict { options.append(".strict") }
        if definition.isWithoutRowID { options.append(".withoutRowID") }
        for constraint in definition.constraints where !table.isOfColumn(constraint) {
            switch constraint.kind {
            case .primaryKey(let columns, let conflict):
                options.append(".primaryKey(\(columns.swiftSource)\(conflict.swiftArgument))")
            case .unique(let columns, let conflict):
                options.append(".unique(\(columns.swiftSource)\(conflict.swiftArgument))")
            case .check(let condition):
                let name = constraint.name.map { ", named: \($0.swiftLiteral)" } ?? ""
                options.append(".check(\(condition.text.swiftLiteral)\(name))")
            case .foreignKey: break
            }
        }
        for reference in table.references {
            let link = links.first { $0.isForeignKey && $0.reference.isSame(as: reference) }
            options.append(link.map(Self.source) ?? Self.source(of: reference))
        }
        return options + definition.indexes.map(Self.source)
    }

    private static func source(of link: Link) -> String {
        ".foreignKey(\(SwiftName.escaped(link.name))\(actions(link.reference.target)))"
    }

    private static func source(of reference: GeneratedTable.Reference) -> String {
        let target = reference.target
        let columns = reference.columns.map(\.swiftLiteral).joined(separator: ", ")
        let others = target.columns.map(\.swiftLiteral).joined(separator: ", ")
        let list = others.isEmpty && target.deferral == nil ? "" : ", [\(others)]"
        let deferral = target.deferral.map { ", .\($0)" } ?? ""
        return ".foreignKey(\(columns), references: \(target.table.swiftLiteral)\(list)\(actions(target))\(deferral))"
    }

    private static func actions(_ target: ForeignKeyReference) -> String {
        let actions = [("onDelete", target.onDelete), ("onUpdate", target.onUpdate)]
        return actions.compactMap { label, action in
            action.flatMap { $0 == .noAction ? nil : ", \(label): .\($0)" }
        }.joined()
    }

    private static func source(of index: IndexDefinition) -> String {
        let condition = index.condition.map { ", where: \($0.text.swiftLiteral)" } ?? ""
        return ".index(\(index.name.swiftLiteral), on: \(index.columns.swiftSource)"
            + (index.isUnique ? ", unique: true" : "") + condition + ")"
    }
}

// MARK: - Relations

extension TableSource {
    /// The relations to the records that single columns refer to.
    private var links: [Link] {
        // The static property `table` is the declaration.
        var names = UniqueNames(reserving: ["table", "init", "self"])
        return table.references.compactMap { reference in
            guard reference.columns.count == 1, let property = table.property(reference.columns[0]),
                let target = all.first(where: { $0.definition.name.isSameName(as: reference.target.table) })
            else { return nil }
            let keys = reference.target.columns.isEmpty ? target.definition.primaryKey : reference.target.columns
            guard keys.count == 1, let key = target.property(keys[0]), key.type == property.type,
                property.column.collation == key.column.collation
            else { return nil }
            return Link(
                name: names.unique(Self.name(of: property)), reference: reference, property: property, target: target,
                key: key)
        }
    }

    /// The name without the word that makes it a key: `artistId` becomes `artist`.
    private static func name(of property: GeneratedTable.Property) -> String {
        for end in ["Id", "ID"] where property.name.hasSuffix(end) && property.name.count > end.count {
            return String(property.name.dropLast(end.count))
        }
        return property.name
    }
}

extension GeneratedTable.Reference {
    fileprivate func isSame(as other: Self) -> Bool { columns == other.columns && target == other.target }
}

extension [IndexedColumn] {
    /// The columns as arguments: `"name", IndexedColumn("year", order: .descending)`.
    fileprivate var swiftSource: String {
        map { column in
            if column.collation == nil, column.order == nil, let name = column.columnName { return name.swiftLiteral }
            var parts: [String] = []
            var head = "IndexedColumn"
            switch column.term {
            case .column(let name): parts.append(name.swiftLiteral)
            case .expression(let sql):
                head = ".expression"
                parts.append(sql.text.swiftLiteral)
            }
            if let collation = column.collation { parts.append("collation: \(collation.swiftLiteral)") }
            if let order = column.order { parts.append("order: .\(order)") }
            return "\(head)(\(parts.joined(separator: ", ")))"
        }.joined(separator: ", ")
    }
}

extension ConflictResolution? {
    fileprivate var swiftArgument: String { map { ", onConflict: .\($0)" } ?? "" }
}
