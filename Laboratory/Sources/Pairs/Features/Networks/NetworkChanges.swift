/// Draws changes of one side of a network.
struct NetworkChanges {
    let form: NetworkForm
    /// The numbers of the keys that the side inserts, deletes and moves.
    let numbers: [Int]
    /// Whether the side updates a column of a table.
    let updates: (_ table: String, _ column: String) -> Bool
    /// Returns the assignment of the time of a change; empty where there is none.
    let time: (inout Dice) -> Int64?

    private enum Kind: CaseIterable {
        case owner, otherOwner, card, otherCard, name, mark, exchange, otherExchange, deletedOwner, deletedCard
        case deletedAndInserted, moved, text, ownerOfCard, newColumn, allTexts
    }

    /// Returns the statements of a change; `nil` if the rows of the side do not allow it.
    func random(_ rows: NetworkRows, _ dice: inout Dice) -> String? {
        let id = form.key(dice.choice(of: numbers))
        let known = rows.keys.filter { $0.table == "owners" }.map(\.id).sorted()
        let cards = rows.keys.filter { $0.table == "cards" }.map(\.id).sorted()
        let owner = dice.element(of: known)
        let stamp = time(&dice)
        let text = "'\(dice.choice(of: ["a", "b", "c", "d"]))\(dice.number(below: 100))'"
        switch dice.choice(of: Kind.allCases) {
        case .owner, .otherOwner: return insertion(ofOwner: id, stamp, &dice)
        case .card, .otherCard:
            return "INSERT INTO cards(id, owner, text, stamp) VALUES(\(id), \(owner ?? "NULL"), \(text), \(stamp ?? 0))"
        case .name: return owner.flatMap { update("owners", $0, ["name": name(&dice)], stamp) }
        case .mark: return owner.flatMap { update("owners", $0, ["mark": "\(dice.number(below: 30))"], stamp) }
        case .exchange, .otherExchange: return exchange(rows, known, stamp, &dice)
        case .deletedOwner: return "DELETE FROM owners WHERE id = \(id)"
        case .deletedCard: return "DELETE FROM cards WHERE id = \(id)"
        case .deletedAndInserted:
            return "DELETE FROM owners WHERE id = \(id); \(insertion(ofOwner: id, stamp, &dice))"
        case .moved:
            let other = form.key(dice.choice(of: numbers))
            return "UPDATE owners SET id = \(other)\(assignment(stamp)) WHERE id = \(id); "
                + insertion(ofOwner: id, stamp, &dice)
        case .text: return dice.element(of: cards).flatMap { update("cards", $0, ["text": text], stamp) }
        case .ownerOfCard:
            return dice.element(of: cards).flatMap { update("cards", $0, ["owner": owner ?? "NULL"], stamp) }
        case .newColumn:
            let isOwner = dice.once(in: 2)
            let values = ["label": text, "rating": "\(dice.number(below: 100))"]
            let column = dice.choice(of: NetworkForm.newColumns.map(\.name))
            guard let id = dice.element(of: isOwner ? known : cards), let value = values[column] else { return nil }
            return update(isOwner ? "owners" : "cards", id, [column: value], stamp)
        case .allTexts:
            return updates("cards", "text")
                ? "UPDATE cards SET text = text || '\(dice.number(below: 10))'\(assignment(stamp))" : nil
        }
    }

    private func assignment(_ stamp: Int64?) -> String { stamp.map { ", stamp = \($0)" } ?? "" }

    private func name(_ dice: inout Dice) -> String {
        dice.once(in: 6) ? "NULL" : "'name \(dice.number(below: 6))'"
    }

    private func insertion(ofOwner id: String, _ stamp: Int64?, _ dice: inout Dice) -> String {
        // A unique name is taken by an update only where others do not write it.
        let name = updates("owners", "name") ? name(&dice) : "'name of \(id.filter { $0 != "'" })'"
        return
            "INSERT INTO owners(id, name, mark, stamp) VALUES(\(id), \(name), \(dice.number(below: 30)), \(stamp ?? 0))"
    }

    private func update(_ table: String, _ id: String, _ values: [String: String], _ stamp: Int64?) -> String? {
        if values.keys.contains(where: { !updates(table, $0) }) { return nil }
        let assignments = values.sorted { $0.key < $1.key }.map { "\($0) = \($1)" }.joined(separator: ", ")
        return "UPDATE \(table) SET \(assignments)\(assignment(stamp)) WHERE id = \(id)"
    }

    /// Two or three owners exchange their names.
    private func exchange(_ rows: NetworkRows, _ known: [String], _ stamp: Int64?, _ dice: inout Dice) -> String? {
        let count = dice.once(in: 3) ? 3 : 2
        guard updates("owners", "name"), known.count >= count else { return nil }
        let start = dice.number(below: known.count)
        let ids = (0..<count).map { known[(start + $0) % known.count] }
        let names = ids.compactMap { rows[NetworkKey(table: "owners", id: $0)]?[1] }
        let parked = ids.map { "UPDATE owners SET name = NULL WHERE id = \($0)" }
        let given = ids.indices.map { index in
            "UPDATE owners SET name = \(names[(index + 1) % names.count])\(assignment(stamp)) WHERE id = \(ids[index])"
        }
        return (parked + given).joined(separator: "; ")
    }
}
