import Foundation
import Squall

private let pageSize = 512

/// Returns a small database whose schema has 40^16 rows: each page of 16 levels refers 40 times to the next one.
func endlessSchema() throws -> Data {
    let connection = try Connection()
    try connection.execute("PRAGMA page_size = \(raw: "\(pageSize)"); CREATE TABLE t(a UNIQUE)")
    // The root of the schema, of the table, and of its index.
    let real = Array(try connection.serialize())
    var pages = (0..<3).map { Array(real[$0 * pageSize..<($0 + 1) * pageSize]) }
    pages.append(leaf(cell(1, "table", "t", "t", root: 2, "CREATE TABLE t(a UNIQUE)")))
    pages.append(leaf(cell(2, "index", "sqlite_autoindex_t_1", "t", root: 3, nil)))
    let levels = 16
    for level in 1...levels {
        let next = level == levels ? 5 : pages.count + 2
        pages.append(interior([UInt8](repeating: UInt8(next), count: 40)))
    }
    pages[0] = Array(pages[0][..<100]) + interior([4, 6, 6]).dropLast(100)
    // The offsets of the cells are from the start of the page, which has the header of the file.
    for cell in [105, 112, 114] { add(100, to: &pages[0], at: cell) }
    pages[0][28...31] = [0, 0, 0, UInt8(pages.count)]
    return Data(pages.joined())
}

/// A leaf of a table with one row.
private func leaf(_ cell: [UInt8]) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: pageSize)
    let start = pageSize - cell.count
    page.replaceSubrange(start..., with: cell)
    page.replaceSubrange(..<10, with: [13, 0, 0, 0, 1] + pair(start) + [0] + pair(start))
    return page
}

/// A page that refers to others. The last one has no key.
private func interior(_ children: [UInt8]) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: pageSize)
    // Cells of five bytes, from the end of the part that page 1 has as well.
    var start = pageSize - 100
    page.replaceSubrange(..<12, with: [5, 0, 0, 0, UInt8(children.count - 1), 0, 0, 0, 0, 0, 0, children.last ?? 0])
    for (number, child) in children.dropLast().enumerated() {
        start -= 5
        page.replaceSubrange(start..<start + 5, with: [0, 0, 0, child, UInt8(number + 2)])
        page.replaceSubrange(12 + 2 * number..<14 + 2 * number, with: pair(start))
    }
    page.replaceSubrange(5..<7, with: pair(start))
    return page
}

/// A row of the schema.
private func cell(_ key: UInt8, _ type: String, _ name: String, _ table: String, root: UInt8, _ sql: String?) -> [UInt8]
{
    func textType(_ text: String) -> UInt8 { UInt8(text.utf8.count * 2 + 13) }
    let types: [UInt8] = [textType(type), textType(name), textType(table), 1, sql.map(textType) ?? 0]
    let values = Array((type + name + table).utf8) + [root] + Array((sql ?? "").utf8)
    let record = [UInt8(types.count + 1)] + types + values
    return [UInt8(record.count), key] + record
}

private func pair(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

private func add(_ difference: Int, to page: inout [UInt8], at index: Int) {
    page.replaceSubrange(index..<index + 2, with: pair(Int(page[index]) << 8 + Int(page[index + 1]) + difference))
}
