import Squall

/// The statements that make the rows of a table those of another file's.
///
/// The rows that are too many are deleted first, then the others are updated and inserted. A changed row is deleted and
/// inserted again if the table has other unique columns, whose values two rows may have exchanged.
struct RowScript {
    let pair: TablePair
    /// The triggers of the table in the first file, which must not run.
    let triggers: [SchemaEntry]
    let literal: SQLLiteral
    let output: Output

    /// - Returns: The numbers of rows that differ.
    func write(_ comparison: RowComparison) throws -> RowCounts {
        var isFirst = true
        let counts = try comparison.run { difference in
            if isFirst { try begin() }
            isFirst = false
            switch difference {
            case .deleted(let row): try writeDelete(row)
            case .changed(let row, _, _) where pair.hasOtherUniqueColumns: try writeDelete(row)
            case .inserted, .changed: return
            }
        }
        guard !isFirst else { return counts }
        try comparison.run { difference in
            switch difference {
            case .inserted(let row): try writeInsert(row)
            case .changed(_, let row, _) where pair.hasOtherUniqueColumns: try writeInsert(row)
            case .changed(let from, let to, let columns): try writeUpdate(from, to, columns)
            case .deleted: return
            }
        }
        for trigger in triggers { try writeStatement(trigger.sql) }
        return counts
    }

    private func begin() throws {
        try output.write("-- \(pair.name.printable)\n")
        for trigger in triggers { try writeStatement("DROP TRIGGER \(trigger.name.quotedName)") }
    }

    private func writeStatement(_ sql: String) throws {
        try output.write(sql.withSemicolon + "\n")
    }

    private func writeDelete(_ row: [Cell]) throws {
        try output.write("DELETE FROM \(pair.name.quotedName) WHERE \(try condition(row));\n")
    }

    private func writeInsert(_ row: [Cell]) throws {
        let columns = pair.columns.indices.map(name).joined(separator: ", ")
        let values = try row.map(literal.of).joined(separator: ", ")
        try output.write("INSERT INTO \(pair.name.quotedName)(\(columns)) VALUES(\(values));\n")
    }

    private func writeUpdate(_ from: [Cell], _ to: [Cell], _ columns: [Int]) throws {
        let list = try columns.map { "\(name($0)) = \(try literal.of(to[$0]))" }.joined(separator: ", ")
        try output.write("UPDATE \(pair.name.quotedName) SET \(list) WHERE \(try condition(from));\n")
    }

    private func condition(_ row: [Cell]) throws -> String {
        try pair.key.map { part in
            let collation = part.isOfKeyAlone ? " COLLATE \(part.collation.rawValue)" : ""
            return "\(name(part.index)) = \(try literal.of(row[part.index]))\(collation)"
        }.joined(separator: " AND ")
    }

    private func name(_ index: Int) -> String {
        pair.isByRowID && index == 0 ? pair.columns[0] : pair.columns[index].quotedName
    }
}
