import Squall

/// A row of `items` for typed statements, whose key is a value as SQLite stores it, whatever its type.
struct QueriedItem: TableRecord {
    let id: BindingValue
    let part: Int64
    let name: String
    let price: Double?
    let note: String?
    let owner: Int64?
    let stars: Int64
    let code: Int64?

    static let table = Table("items", QueriedItem.init) {
        Column("id", \QueriedItem.id)
        Column("part", \QueriedItem.part)
        Column("name", \QueriedItem.name)
        Column("price", \QueriedItem.price)
        Column("note", \QueriedItem.note)
        Column("owner", \QueriedItem.owner)
        Column("stars", \QueriedItem.stars)
        Column("code", \QueriedItem.code)
    }

    /// The Swift of the type and its table, with another name.
    static func swift(_ name: String) -> String {
        let properties = [
            ("id", "BindingValue"), ("part", "Int64"), ("name", "String"), ("price", "Double?"), ("note", "String?"),
            ("owner", "Int64?"), ("stars", "Int64"), ("code", "Int64?"),
        ]
        return """
            struct \(name): TableRecord, Hashable {
            \(properties.map { "    let \($0): \($1)" }.joined(separator: "\n"))
                static let table = Table("items", \(name).init) {
            \(properties.map { "        Column(\"\($0.0)\", \\\(name).\($0.0))" }.joined(separator: "\n"))
                }
            }
            """
    }
}

extension QueriedItem {
    init(_ row: ItemRow, _ shape: TableShape) {
        id = shape.key.bindingValue(row.id)
        (part, name, price, note, owner) = (row.part, row.name, row.price, row.note, row.owner)
        (stars, code) = (row.stars, row.code)
    }

    /// A text that two rows share only if their bytes are equal.
    var text: String {
        func text(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "-" }
        let texts = "\(Array(name.utf8)) \(text(note.map { Array($0.utf8) }))"
        // SQLite stores -0.0 as 0.
        return "\(id) \(part) \(texts) \(text(price.map { $0 + 0 })) \(text(owner)) \(stars) \(text(code))"
    }
}

extension ItemRow {
    /// The call of the initialiser of the type that ``QueriedItem/swift(_:)`` declares.
    func swift(_ type: String, _ shape: TableShape) -> String {
        func text(_ value: (some CustomStringConvertible)?) -> String { value.map { "\($0)" } ?? "nil" }
        return "\(type)(id: \(shape.key.swiftBinding(id)), part: \(part), name: \(name.debugDescription), "
            + "price: \(text(price)), note: \(text(note?.debugDescription)), owner: \(text(owner)), stars: \(stars), "
            + "code: \(text(code)))"
    }
}

extension TableShape.Key {
    /// Returns the key of a row as Swift of a `BindingValue`.
    func swiftBinding(_ number: Int64) -> String {
        let literal = literal(number)
        return "BindingValue.\(literal.hasPrefix("\"") ? "text" : "integer")(\(literal))"
    }
}
