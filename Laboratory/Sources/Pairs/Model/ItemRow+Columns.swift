extension ItemRow {
    /// Returns the names of the columns whose values differ from those of another row: of texts, whose bytes do.
    func columns(differingFrom other: ItemRow) -> [String] {
        let isEqual: KeyValuePairs = [
            "name": name.utf8.elementsEqual(other.name.utf8), "price": price == other.price,
            "note": note.map { Array($0.utf8) } == other.note.map { Array($0.utf8) }, "owner": owner == other.owner,
            "stars": stars == other.stars, "code": code == other.code, "seen": seen == other.seen,
            "data": data == other.data, "late": late == other.late,
        ]
        return isEqual.filter { !$0.value }.map(\.key)
    }
}

extension Model {
    /// Returns the changes that lead to another model: of each row the kind, and the columns of an update.
    func changes(to other: Model) -> [String] {
        var changes: [String] = []
        for id in Set(items.keys).union(other.items.keys) {
            switch (items[id], other.items[id]) {
            case (nil, _): changes.append("insert items")
            case (_, nil): changes.append("delete items")
            case (let old?, let new?):
                let columns = new.columns(differingFrom: old)
                if !columns.isEmpty { changes.append("update items \(columns.sorted())") }
            }
        }
        for id in Set(authors.keys).union(other.authors.keys) where authors[id] != other.authors[id] {
            let verb = authors[id] == nil ? "insert" : other.authors[id] == nil ? "delete" : "update"
            changes.append("\(verb) authors")
        }
        return changes.sorted()
    }
}
