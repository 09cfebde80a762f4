import Squall

/// Prints values out of the JSON of a column.
func printDetails(_ connection: Connection) throws {
    print("\n# Details, which are JSON")
    printLine("colors", try connection.all(distinct("$.color", as: String.self)).map { $0 ?? "none" })
    printLine("gifts", try connection.all(distinct("$.gift", as: Bool.self)).map { $0 ?? false })
    printLine("sizes", try connection.all(distinct("$.sizes[0]", as: Int.self)).map { $0 ?? 0 })

    let sizes = Sale.order { $0.id }.select { $0.details.jsonArrayLength("$.sizes") }
    printLine("numbers", try connection.all(sizes).map { $0 ?? 0 })
    // A value that is not there has no type.
    let types = Sale.group { $0.details.jsonType("$.color") }
        .select { ($0.details.jsonType("$.color"), Expr.rowCount) }
    for (type, count) in try connection.all(types) { printLine(type, count) }
}

/// Returns the different values at a path: a text, a truth value or a number.
private func distinct<Value: JSONScalar & ColumnReadable>(_ path: String, as type: Value.Type) -> some Selection<Value?>
{
    Sale.select { $0.details[path, as: type] }.distinct().order { $0.details[path, as: type] }
}
