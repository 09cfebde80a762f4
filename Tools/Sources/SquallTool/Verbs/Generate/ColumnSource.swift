import Squall
import SquallSQLFiles

extension GeneratedTable {
    /// Returns the line of a column: `Column("age", \User.age, .default(0))`.
    func source(of property: Property) -> String {
        let column = property.column
        var parts = [column.name.swiftLiteral, "\\\(SwiftName.escaped(type)).\(SwiftName.escaped(property.name))"]
        if let form = property.timeForm?.name { parts.append("as: .\(form)") }
        let declared = property.timeForm?.type ?? property.type.declaredType(isStrict: definition.isStrict)
        if !column.type.isSameName(as: declared) {
            parts.append(".type(\(column.type.swiftLiteral))")
        }
        parts += constraints(of: property)
        return "Column(\(parts.joined(separator: ", ")))"
    }

    private func constraints(of property: Property) -> [String] {
        let column = property.column
        var parts: [String] = []
        if let key = column.primaryKey { parts.append(source(of: key)) }
        if let conflict = column.notNull?.conflict { parts.append(".notNull(onConflict: .\(conflict))") }
        if let unique = column.unique { parts.append(Self.uniqueSource(unique.conflict)) }
        for constraint in definition.constraints where isOfColumn(constraint) {
            switch constraint.kind {
            case .primaryKey(let columns, let conflict) where columns[0].columnName?.isSameName(as: column.name) == true:
                parts.append(source(of: .init(conflict: conflict)))
            case .unique(let columns, let conflict) where columns[0].columnName?.isSameName(as: column.name) == true:
                parts.append(Self.uniqueSource(conflict))
            default: break
            }
        }
        // `DEFAULT NULL` makes no difference.
        if let value = column.defaultValue, !value.text.isSameName(as: "NULL") {
            parts.append(
                property.timeForm == nil ? Self.defaultSource(value.text, property.type) : ".default(.now)")
        }
        for check in column.checks {
            let name = check.name.map { ", named: \($0.swiftLiteral)" } ?? ""
            parts.append(".check(\(check.condition.text.swiftLiteral)\(name))")
        }
        if let collation = column.collation { parts.append(".collate(\(collation.swiftLiteral))") }
        if let generated = column.generated {
            let stored = generated.isStored ? ", stored: true" : ""
            parts.append(".generated(\(generated.expression.text.swiftLiteral)\(stored))")
        }
        return parts
    }

    private func source(of key: ColumnDefinition.PrimaryKey) -> String {
        var parts: [String] = []
        if key.isAutoincrement { parts.append("autoincrement: true") }
        if let order = key.order { parts.append("order: .\(order)") }
        if let conflict = key.conflict { parts.append("onConflict: .\(conflict)") }
        return ".primaryKey" + (parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))")
    }

    private static func uniqueSource(_ conflict: ConflictResolution?) -> String {
        ".unique" + (conflict.map { "(onConflict: .\($0))" } ?? "")
    }

    /// A default that Squall would write in the same way is a Swift value, and any other is SQL.
    private static func defaultSource(_ text: String, _ type: PropertyType) -> String {
        if let name = text.textOfName {
            let literal = "'\(name.replacing("'", with: "''"))'"
            return type == .text ? ".default(\(name.swiftLiteral))" : ".default(sql: \(literal.swiftLiteral))"
        }
        switch type {
        case .integer where Int64(text).map { "\($0)" } == text: return ".default(\(text))"
        case .bool where text == "0" || text == "1": return ".default(\(text == "1"))"
        case .text where text.wholeMatch(of: /'[^']*'/) != nil:
            return ".default(\(String(text.dropFirst().dropLast()).swiftLiteral))"
        default: return ".default(sql: \(text.swiftLiteral))"
        }
    }
}

extension String {
    /// The text as a Swift string literal.
    var swiftLiteral: String {
        // The standard library also escapes apostrophes, which SQL is full of.
        debugDescription.replacing("\\'", with: "'")
    }

    /// The text of a default that is a name, which SQLite takes as a text, and which would be a column in an expression.
    fileprivate var textOfName: String? {
        if let quoted = wholeMatch(of: /"((?:[^"]|"")*)"/) {
            return String(quoted.1).replacing("\"\"", with: "\"")
        }
        if let quoted = wholeMatch(of: /`([^`]*)`|\[([^\]]*)\]/) { return String(quoted.1 ?? quoted.2 ?? "") }
        let values = ["NULL", "TRUE", "FALSE", "CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME"]
        let isName = wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
        return isName && !values.contains { isSameName(as: $0) } ? self : nil
    }
}
