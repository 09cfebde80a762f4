import Squall

/// A difference between the rows of two tables.
enum RowDifference {
    case deleted([Cell])
    case inserted([Cell])
    /// A row with the same key. The columns are the indexes of those that differ.
    case changed(from: [Cell], to: [Cell], columns: [Int])
}

/// The numbers of rows that differ.
struct RowCounts {
    var (inserted, deleted, changed, same) = (0, 0, 0, 0)
    var areAllSame: Bool { inserted + deleted + changed == 0 }
}

/// Compares the rows of two tables, which are read side by side in the order of their keys. Only one row of each is in memory.
struct RowComparison {
    let pair: TablePair
    let old: Connection
    let new: Connection
    let files: (DatabaseFile, DatabaseFile)

    @discardableResult
    func run(_ body: (RowDifference) throws -> Void) throws -> RowCounts {
        var counts = RowCounts()
        let (left, right) = (try old.prepare(pair.query), try new.prepare(pair.query))
        var (before, after) = (try next(left, of: files.0), try next(right, of: files.1))
        while before != nil || after != nil {
            let order = order(before, after)
            if order < 0, let row = before {
                counts.deleted += 1
                try body(.deleted(row))
            } else if order > 0, let row = after {
                counts.inserted += 1
                try body(.inserted(row))
            } else if let from = before, let to = after {
                let columns = from.indices.filter { !from[$0].isIdentical(to: to[$0]) }
                if columns.isEmpty {
                    counts.same += 1
                } else {
                    counts.changed += 1
                    try body(.changed(from: from, to: to, columns: columns))
                }
            }
            if order <= 0 { before = try next(left, of: files.0) }
            if order >= 0 { after = try next(right, of: files.1) }
        }
        return counts
    }

    private func next(_ statement: Statement, of file: DatabaseFile) throws -> [Cell]? {
        try file.naming { try statement.step() ? statement.row?.cells : nil }
    }

    private func order(_ before: [Cell]?, _ after: [Cell]?) -> Int {
        guard let before else { return 1 }
        guard let after else { return -1 }
        for part in pair.key {
            let order = before[part.index].order(after[part.index], by: part.collation, isUTF16: pair.isUTF16)
            if order != 0 { return order }
        }
        return 0
    }
}
