/// The name of a column, compared as SQLite does: ASCII letters ignore case, everything else is compared byte by byte.
struct ColumnName: Hashable {
    private let bytes: [UInt8]

    init(_ spelling: String) {
        bytes = spelling.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
