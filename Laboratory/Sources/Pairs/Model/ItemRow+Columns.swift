extension ItemRow {
    /// Returns the names of the columns whose values differ from those of another row.
    func columns(differingFrom other: ItemRow) -> [String] {
        let values = zip(columnTexts, other.columnTexts)
        return values.filter { $0.text != $1.text }.map(\.0.name)
    }

    /// The values as texts that are equal only if their bytes are.
    private var columnTexts: [(name: String, text: String)] {
        [
            ("name", "\(Array(name.utf8))"), ("price", "\(price.map { $0 + 0 } ?? .infinity)"),
            ("note", "\(note.map { Array($0.utf8) } ?? [0, 0])"), ("owner", "\(owner ?? .min)"), ("stars", "\(stars)"),
            ("code", "\(code ?? .min)"), ("seen", "\(seen?.timeIntervalSince1970 ?? -1)"),
            ("data", data.map { "\(Array($0))" } ?? "-"), ("late", "\(late ?? -1)"),
        ]
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
