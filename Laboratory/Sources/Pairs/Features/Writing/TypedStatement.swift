import Squall

/// A statement over `items` that the typed verbs write, which is run on a connection and made in the model.
enum TypedStatement: Sendable {
    case update(ItemFilter, note: String?)
    case updateReturning(ItemFilter, note: String?)
    case deleteReturning(ItemFilter)
    /// Sets the stars of the rows of a part to the keys of their owners.
    case updateFromOwners(part: Int64)
    /// Inserts a row without its code under another key.
    case copy(Int64, to: Int64)
    /// Inserts rows that are already there, whose conflict sets their note.
    case insertAgain(ItemFilter, note: String?)

    /// Draws a statement that the rows of a model allow.
    static func random(_ model: Model, _ dice: inout Dice) -> TypedStatement {
        let note = dice.once(in: 3) ? nil : ItemRow.text(&dice)
        switch dice.number(below: 6) {
        case 0: return .update(.random(model, &dice), note: note)
        case 1: return .deleteReturning(.someKeys(model, &dice))
        case 2: return .updateFromOwners(part: Int64(dice.number(below: 3)))
        case 3:
            guard let row = dice.element(of: model.rows) else { break }
            // The part of the row follows from its key.
            var id = row.id % 3
            while model.items[id] != nil { id += 3 }
            return .copy(row.id, to: id)
        case 4: return .insertAgain(.random(model, &dice), note: note)
        default: break
        }
        return .updateReturning(.random(model, &dice), note: note)
    }

    /// Makes the change in a model.
    ///
    /// - Returns: The rows that the statement writes; those that it deletes as they were.
    func apply(to model: inout Model) -> [ItemRow] {
        func rows(_ isIncluded: (ItemRow) -> Bool, _ change: (inout ItemRow) -> Void) -> [ItemRow] {
            model.rows.filter(isIncluded).map { row in
                var row = row
                change(&row)
                return row
            }
        }
        let written: [ItemRow]
        switch self {
        case .update(let filter, let note), .updateReturning(let filter, let note):
            written = rows(filter.includes) { ($0.note, $0.price) = (note, $0.price.map { $0 + 1 }) }
        case .deleteReturning(let filter):
            let deleted = model.rows.filter(filter.includes)
            for row in deleted { model.items[row.id] = nil }
            return deleted
        case .updateFromOwners(let part):
            let authors = model.authors
            written = rows({ $0.part == part && $0.owner.map { authors[$0] != nil } == true }) {
                $0.stars = $0.owner ?? $0.stars
            }
        case .copy(let id, let other):
            written = rows({ $0.id == id }) { row in
                (row.id, row.code, row.seen, row.data, row.late) = (other, nil, nil, nil, ItemRow.lateDefault)
            }
        case .insertAgain(let filter, let note): written = rows(filter.includes) { $0.note = note }
        }
        for row in written { model.items[row.id] = row }
        return written
    }

    /// Runs the statement, and requires that it has written these rows.
    func run(_ connection: Connection, _ shape: TableShape, writing rows: [ItemRow]) throws {
        switch self {
        case .updateReturning(let filter, let note):
            let found = try connection.updateReturning(QueriedItem.self) {
                $0.note.set(to: note)
                $0.price.set(to: $0.price + 1)
            } where: {
                filter.condition($0, shape)
            }
            try check(found, against: rows, shape)
        case .deleteReturning(let filter):
            let found = try connection.deleteReturning(QueriedItem.self) { filter.condition($0, shape) }
            try check(found, against: rows, shape)
        default:
            let count = try writtenCount(connection, shape)
            try require(count == rows.count, "\(self) has written \(count) rows, not \(rows.count)")
        }
    }

    private func check(_ found: [QueriedItem], against rows: [ItemRow], _ shape: TableShape) throws {
        try require(
            found.map(\.text).sorted(), equals: rows.map { QueriedItem($0, shape).text }.sorted(),
            "rows that \(self) returns")
    }

    /// Runs a statement that returns the number of its rows.
    private func writtenCount(_ connection: Connection, _ shape: TableShape) throws -> Int {
        switch self {
        case .update(let filter, let note):
            return try connection.update(QueriedItem.self) {
                $0.note.set(to: note)
                $0.price.set(to: $0.price + 1)
            } where: {
                filter.condition($0, shape)
            }
        case .updateFromOwners(let part):
            return try connection.update(QueriedItem.self, from: Owner.self) { item, owner in
                item.stars.set(to: owner.id)
            } where: { item, owner in
                item.owner == owner.id && item.part == part
            }
        case .copy(let id, let other):
            let (source, target) = (shape.key.bindingValue(id), shape.key.bindingValue(other))
            return try connection.insert(
                into: QueriedItem.self,
                from: QueriedItem.where { $0.id == source }.select {
                    (
                        Expr<BindingValue>("\(target)"), $0.part, $0.name, $0.price, $0.note, $0.owner, $0.stars,
                        Expr<Int64?>("NULL")
                    )
                })
        case .insertAgain(let filter, let note):
            let query = QueriedItem.where { filter.condition($0, shape) }
            if shape.key == .composite {
                return try connection.insert(into: QueriedItem.self, from: query, onConflict: \.part, \.id) {
                    $0.note.set(to: note)
                }
            }
            return try connection.insert(into: QueriedItem.self, from: query, onConflict: \.id) {
                $0.note.set(to: note)
            }
        case .updateReturning, .deleteReturning: return 0
        }
    }

    /// The lines of Swift that run the statement, and expect the rows that it writes.
    ///
    /// - Parameter type: The type that ``QueriedItem/swift(_:)`` declares, before that of an owner.
    func swift(_ types: (item: String, owner: String), _ shape: TableShape, writing rows: [ItemRow]) -> [String] {
        let item = types.item
        func values(_ note: String?) -> String { "$0.note.set(to: \(note?.debugDescription ?? "nil"))" }
        func counted(_ call: String) -> [String] { ["let count = try c.\(call)", "#expect(count == \(rows.count))"] }
        func returned(_ call: String) -> [String] {
            let rows = rows.map { $0.swift(item, shape) }.joined(separator: ", ")
            return ["let rows = try c.\(call)", "#expect(Set(rows) == Set<\(item)>([\(rows)]))"]
        }
        switch self {
        case .update(let filter, let note):
            return counted(
                "update(\(item).self, set: { \(values(note)); $0.price.set(to: $0.price + 1) }, "
                    + "where: { \(filter.swift(shape)) })")
        case .updateReturning(let filter, let note):
            return returned(
                "updateReturning(\(item).self, set: { \(values(note)); $0.price.set(to: $0.price + 1) }, "
                    + "where: { \(filter.swift(shape)) })")
        case .deleteReturning(let filter):
            return returned("deleteReturning(\(item).self, where: { \(filter.swift(shape)) })")
        case .updateFromOwners(let part):
            return counted(
                "update(\(item).self, from: \(types.owner).self, set: { $0.stars.set(to: $1.id) }, "
                    + "where: { $0.owner == $1.id && $0.part == \(part) })")
        case .copy(let id, let other):
            let columns = "$0.part, $0.name, $0.price, $0.note, $0.owner, $0.stars, Expr<Int64?>(\"NULL\")"
            return counted(
                "insert(into: \(item).self, from: \(item).where { $0.id == \(shape.key.swiftBinding(id)) }"
                    + ".select { (Expr<BindingValue>(\"\\(\(shape.key.swiftBinding(other)))\"), \(columns)) })")
        case .insertAgain(let filter, let note):
            let target = shape.key == .composite ? "\\.part, \\.id" : "\\.id"
            return counted(
                "insert(into: \(item).self, from: \(item).where { \(filter.swift(shape)) }, "
                    + "onConflict: \(target), set: { \(values(note)) })")
        }
    }
}
