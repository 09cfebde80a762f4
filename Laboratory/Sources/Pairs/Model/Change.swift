import Foundation
import Squall

/// A write to the common tables, which is run on a connection and made in the model.
enum Change: Sendable {
    /// The verb of a record, or SQL.
    enum Way: Sendable {
        case record, sql
    }

    case insert([ItemRow], Way)
    case update(ItemRow, Way)
    case upsert(ItemRow, Way)
    case replace(ItemRow, Way)
    case delete(ItemRow, Way)
    /// Gives a row another key, and deletes the row that has it.
    case move(ItemRow, to: Int64, replacing: Bool, Way)
    /// Changes many rows in one statement.
    case mark(part: Int64)
    case deletePart(Int64)
    /// Writes the column that was added to the table when it had rows.
    case setLate(part: Int64, Double?)
    case insertAuthor(Int64)
    case renameAuthor(Int64)
    case replaceAuthor(Int64)
    case deleteAuthor(Int64)
    /// Gives an owner another key.
    case moveAuthor(Int64, to: Int64)

    /// The only row that the change writes; `nil` for another kind of change.
    var row: ItemRow? {
        switch self {
        case .insert(let rows, _): rows.count == 1 ? rows[0] : nil
        case .update(let row, _), .upsert(let row, _), .replace(let row, _): row
        default: nil
        }
    }

    /// Draws a change that the rows of a model allow.
    static func random(_ model: Model, _ shape: TableShape, _ dice: inout Dice) -> Change {
        // Each check reads all rows.
        if model.items.count > 50 { return .deletePart(Int64(dice.number(below: 3))) }
        let row = dice.element(of: model.rows)
        let way = dice.once(in: 2) ? Way.record : .sql
        switch dice.number(below: 22) {
        case 0..<4: return .insert([newRow(model, shape, &dice)], way)
        case 4:
            var (rows, later) = ([ItemRow](), model)
            for _ in 0..<3 {
                let row = newRow(later, shape, &dice)
                rows.append(row)
                later.items[row.id] = row
            }
            return .insert(rows, way)
        case 5..<10:
            guard let row else { break }
            return .update(changed(row, model, shape, &dice), way)
        case 10, 11: return .upsert(changed(row ?? newRow(model, shape, &dice), model, shape, &dice), way)
        case 12, 13:
            var new = changed(row ?? newRow(model, shape, &dice), model, shape, &dice)
            // The unique value of another row, which REPLACE deletes.
            if dice.once(in: 2), let other = dice.element(of: model.rows) { new.code = other.code }
            return .replace(new, way)
        case 14, 15:
            guard let row else { break }
            return .delete(row, way)
        case 16:
            return dice.once(in: 3)
                ? .deletePart(Int64(dice.number(below: 3))) : .mark(part: Int64(dice.number(below: 3)))
        case 17, 18:
            guard let row else { break }
            return moving(row, model, shape, way, &dice)
        default:
            let id = Int64(dice.number(below: 6))
            if model.authors[id] == nil { return .insertAuthor(id) }
            let change: Change = dice.choice(of: [.renameAuthor(id), .replaceAuthor(id), .deleteAuthor(id)])
            return model.refuses(change, shape) ? .renameAuthor(id) : change
        }
        return .insert([newRow(model, shape, &dice)], way)
    }

    private static func newRow(_ model: Model, _ shape: TableShape, _ dice: inout Dice) -> ItemRow {
        var id = Int64(dice.number(below: 40))
        while model.items[id] != nil { id += 1 }
        return completed(ItemRow(id: id, &dice), model, shape, &dice)
    }

    /// Gives a row a key that is free, or that of another row.
    private static func moving(
        _ row: ItemRow, _ model: Model, _ shape: TableShape, _ way: Way, _ dice: inout Dice
    ) -> Change {
        var id = Int64(dice.number(below: 40))
        // SQLite 3.40 reports a violated UNIQUE of the row itself where REPLACE runs the action of a foreign key, if the
        // key is not the one by which rows are stored.
        let canReplace = shape.parentColumns.isEmpty || shape.hasRowIDKey || shape.isWithoutRowID
        if canReplace, dice.once(in: 3), let other = dice.element(of: model.rows) {
            id = other.id
        } else {
            while model.items[id] != nil { id += 1 }
            // AUTOINCREMENT takes note of keys that are inserted.
            if shape.key == .autoincrement { id = min(id, model.items.keys.max() ?? id) }
        }
        let isTaken = model.items[id] != nil
        return .move(row, to: id, replacing: isTaken, isTaken ? .sql : way)
    }

    /// Returns a row with new values in some columns or all.
    private static func changed(
        _ row: ItemRow, _ model: Model, _ shape: TableShape, _ dice: inout Dice
    ) -> ItemRow {
        let new = completed(ItemRow(id: row.id, &dice), model, shape, &dice)
        var changed = row
        switch dice.number(below: 4) {
        case 0: changed.name = new.name
        case 1: (changed.price, changed.note) = (new.price, new.note)
        case 2: (changed.owner, changed.code, changed.data) = (new.owner, new.code, new.data)
        default: changed = new
        }
        return changed
    }

    private static func completed(
        _ row: ItemRow, _ model: Model, _ shape: TableShape, _ dice: inout Dice
    ) -> ItemRow {
        var row = row
        let others = Set(model.items.values.filter { $0.id != row.id }.compactMap(\.code))
        row.code = dice.once(in: 2) ? nil : Int64(dice.number(below: 99))
        if let code = row.code, others.contains(code) { row.code = nil }
        // A deferred foreign key may be violated until the transaction ends.
        let known =
            shape.reference == nil || (shape.reference == .deferred && dice.once(in: 8))
            ? [] : model.authors.keys.sorted()
        let isFree = shape.reference == nil || (shape.reference == .deferred && known.isEmpty && dice.once(in: 8))
        row.owner = isFree ? Int64(dice.number(below: 6)) : dice.element(of: known)
        if dice.once(in: 3) { row.owner = nil }
        return row
    }

    /// Makes the change in a model.
    func apply(to model: inout Model, _ shape: TableShape) {
        switch self {
        case .insert(let rows, _): for row in rows { model.items[row.id] = row }
        case .update(var row, _), .upsert(var row, _):
            row.late = model.items[row.id].map(\.late) ?? ItemRow.lateDefault
            model.items[row.id] = row
        case .replace(var row, _):
            row.late = ItemRow.lateDefault
            model.replace(row)
        case .delete(let row, _): model.items[row.id] = nil
        case .move(let row, let id, _, _):
            var moved = model.items.removeValue(forKey: row.id)
            moved?.id = id
            model.items[id] = moved
        case .mark(let part): for id in model.items.keys where id % 3 == part { model.items[id]?.note = "marked alpha" }
        case .setLate(let part, let value):
            for id in model.items.keys where id % 3 == part { model.items[id]?.late = value }
        case .deletePart(let part): model.items = model.items.filter { $0.key % 3 != part }
        case .insertAuthor(let id): model.authors[id] = "owner"
        case .renameAuthor(let id): model.authors[id] = "renamed"
        case .replaceAuthor(let id):
            model.deleteAuthor(id, shape)
            model.authors[id] = "replaced"
        case .deleteAuthor(let id): model.deleteAuthor(id, shape)
        case .moveAuthor(let id, let other):
            model.authors[other] = model.authors.removeValue(forKey: id)
            for key in model.items.keys where model.items[key]?.owner == id { model.items[key]?.owner = other }
        }
    }
}
