/// The rows that the common tables must have.
struct Model: Equatable, Sendable {
    var items: [Int64: ItemRow] = [:]
    var authors: [Int64: String] = [:]

    static func == (left: Model, right: Model) -> Bool {
        left.items == right.items && left.authors.count == right.authors.count
            && left.authors.allSatisfy { right.authors[$0]?.hasSameBytes(as: $1) == true }
    }

    /// The rows in the order of their keys.
    var rows: [ItemRow] { items.values.sorted { $0.id < $1.id } }

    /// The rows as texts that are equal only if all bytes are.
    var fingerprints: [String] {
        rows.map(\.fingerprint) + authors.sorted { $0.key < $1.key }.map { "owner \($0.key) \($0.value)" }
    }

    /// Whether each owner of an item exists.
    var hasAllAuthors: Bool {
        items.values.allSatisfy { $0.owner.map { authors[$0] != nil } ?? true }
    }

    /// Whether no two items have the same code.
    var hasUniqueCodes: Bool {
        let codes = items.values.compactMap(\.code)
        return Set(codes).count == codes.count
    }

    /// Writes a row as REPLACE does: others with its unique code are deleted.
    mutating func replace(_ row: ItemRow) {
        if let code = row.code { items = items.filter { $0.value.code != code } }
        items[row.id] = row
    }

    /// Deletes an owner, with what the foreign key does.
    mutating func deleteAuthor(_ id: Int64, _ shape: TableShape) {
        guard authors.removeValue(forKey: id) != nil else { return }
        switch shape.reference {
        case .cascade: items = items.filter { $0.value.owner != id }
        case .setNull: for key in items.keys where items[key]?.owner == id { items[key]?.owner = nil }
        case .setDefault: for key in items.keys where items[key]?.owner == id { items[key]?.owner = 0 }
        case .deferred, .restrict, .noAction, .updateCascade, nil: break
        }
    }

    /// Whether the foreign key refuses a change of an owner to whom items refer.
    func refuses(_ change: Change, _ shape: TableShape) -> Bool {
        let owner: Int64? =
            switch change {
            case .deleteAuthor(let id), .replaceAuthor(let id): id
            default: nil
            }
        guard let owner, authors[owner] != nil, items.values.contains(where: { $0.owner == owner }) else {
            return false
        }
        // REPLACE gives items their owner back in the same statement, which is too late for RESTRICT alone.
        let isReplaced = if case .replaceAuthor = change { true } else { false }
        switch shape.reference {
        case .restrict: return true
        case .noAction, .updateCascade: return !isReplaced
        case .setDefault: return owner == 0 ? !isReplaced : authors[0] == nil
        case .cascade, .setNull, .deferred, nil: return false
        }
    }
}
