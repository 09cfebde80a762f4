import Squall

/// A row of `authors`, as a record with relations.
struct Owner: TableRecord {
    /// The names that the changes of the lane give, as cases of an enum.
    enum Name: String, Squall.Binding {
        case owner, renamed, replaced
    }

    let id: Int64
    let name: Name

    static let items = Owned.owner.inverse()
    /// The owners whose key is the part of an item: `items` is the table in the middle.
    static let partners = Relation(\Owner.id, through: \Owned.ownerID, \Owned.part, to: \Owner.id)
    static let table = Table("authors", Owner.init) {
        Column("id", \Owner.id, .primaryKey)
        Column("name", \Owner.name)
    }
}

/// A row of `items` without its key, whose type is not always the same.
struct Owned: TableRecord {
    let part: Int64
    let name: String
    let ownerID: Int64?
    let stars: Int64

    static let owner = Relation(\Owned.ownerID, to: \Owner.id)
    static let table = Table("items", Owned.init) {
        Column("part", \Owned.part)
        Column("name", \Owned.name)
        Column("owner", \Owned.ownerID)
        Column("stars", \Owned.stars)
    }

    /// A text that two rows share only if their bytes are equal.
    var text: String { "\(part) \(Array(name.utf8)) \(stars)" }
}

extension Model {
    /// The owners in the order of their keys.
    var owners: [Owner] {
        authors.sorted { $0.key < $1.key }.compactMap { id, name in
            Owner.Name(rawValue: name).map { Owner(id: id, name: $0) }
        }
    }
}
