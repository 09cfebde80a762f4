import Squall

/// Counts the values of each column by their storage class. A column without a type may have several.
func printCensus(of table: String, on connection: Connection) throws {
    var counts: [String: [Row.Column.DataType: Int]] = [:]
    var (names, signatures): ([String], [String]) = ([], [])
    var letters = 0
    try connection.forEach("SELECT * FROM \(name: table)") { row in
        if names.isEmpty { names = (0..<row.columnCount).map { row.columns[$0].name } }
        for column in row.columns { counts[column.name, default: [:]][column.dataType, default: 0] += 1 }

        // Bytes and text can be looked at where SQLite has them, without a copy.
        letters += try row.withUTF8IfPresent("title") { $0.count } ?? 0
        if row.columns.contains(where: { $0.name == "cover" && $0.dataType == .blob }) {
            signatures.append(try row.withBytes("cover") { isPNG($0) ? "PNG" : "unknown" })
        }
    }
    print("\(table), by storage class:")
    for name in names {
        let classes = (counts[name] ?? [:]).sorted { $0.key.sqlName < $1.key.sqlName }
        let text = classes.map { "\($0.value) \($0.key.sqlName)" }.joined(separator: ", ")
        let isMixed = classes.filter { $0.key != .null }.count > 1
        let isInexact = counts[name]?[.float] != nil && counts[name]?[.integer] != nil
        print("  \(name): \(text)\(isMixed ? ", mixed" : "")\(isInexact ? ", sums are inexact" : "")")
    }
    print("  \(letters) bytes of titles, covers: \(signatures.joined(separator: ", "))")
}

private func isPNG(_ bytes: RawSpan) -> Bool {
    bytes.byteCount >= 4 && bytes.unsafeLoadUnaligned(as: UInt32.self).littleEndian == 0x474E_5089
}
