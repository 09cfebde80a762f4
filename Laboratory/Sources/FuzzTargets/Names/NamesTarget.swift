import Foundation
import Squall

extension FuzzTarget {
    /// Names and values in SQL: each comes back byte for byte.
    static let names = FuzzTarget(
        "names", "names, values and literals in SQL", longestInput: 512, seeds: { NameSeeds.all },
        run: { bytes in
            var input = FuzzInput(bytes)
            try NamedTable(&input).run()
        })
}

/// A table with names and values of the fuzzer.
struct NamedTable {
    private let table: String
    private let columns: [String]
    private let values: [BindingValue]
    private let list: [BindingValue]

    init(_ input: inout FuzzInput) {
        table = Self.name(&input)
        columns = [Self.name(&input), Self.name(&input)]
        values = [Self.value(&input), Self.value(&input)]
        list = (0..<input.number(below: 20)).map { _ in Self.value(&input) }
    }

    private static func name(_ input: inout FuzzInput) -> String {
        let text = input.text(upTo: 40)
        // Up to 10,240 bytes.
        return input.chance(4) ? String(repeating: text, count: input.number(below: 256)) : text
    }

    private static func value(_ input: inout FuzzInput) -> BindingValue {
        switch input.number(below: 8) {
        case 0: .null
        case 1: .integer(input.integer())
        case 2: .integer(Int64(Int8(truncatingIfNeeded: input.byte())))
        case 3: .real(Double(bitPattern: UInt64(bitPattern: input.integer())))
        case 4: .blob(Data(input.shortBytes()))
        default: .text(input.text())
        }
    }

    private var names: [String] { [table] + columns }

    func run() throws {
        let connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE untouched(x); INSERT INTO untouched VALUES('here')")
        try checkValues(connection)
        try checkList(connection)
        try checkColumnNames(connection)
        try checkTable(connection)
        try requireEqual(try connection.query("SELECT x FROM untouched"), "here", "a table that is not named")
    }

    private var hasNUL: Bool { names.contains { $0.utf8.contains(0) } }

    private static func isNaN(_ value: BindingValue) -> Bool {
        if case .real(let number) = value { number.isNaN } else { false }
    }

    /// A value that is bound, and one that is a literal of a definition, is the one that was given.
    private func checkValues(_ connection: Connection) throws {
        for value in values {
            let bound: BindingValue?? = try allowingErrors { try connection.query("SELECT \(value)") }
            guard let bound else {
                try require(Self.isNaN(value), "\(value) is refused")
                continue
            }
            try requireEqual(bound ?? .null, value, "a bound value")
            let text = "SELECT 'it''s', \(value), 1 -\(value)-\(value)" as SQL
            let literal: Row? = try connection.query(SQL(raw: text.debugDescription))
            let direct: Row? = try connection.query(text)
            for index in 1...2 {
                try require(
                    Self.isLiteral(literal?.columns[index].bindingValue, of: direct?.columns[index].bindingValue),
                    "a literal of \(text.debugDescription)")
            }
        }
    }

    /// Whether a value is that of a literal. SQLite before 3.43 reads some numbers with more than 15 digits as their neighbour.
    private static func isLiteral(_ found: BindingValue?, of value: BindingValue?) -> Bool {
        guard case .real(let one) = found, case .real(let other) = value, one != other else { return found == value }
        // The neighbour of the greatest number is infinity.
        if one.isInfinite || other.isInfinite { return min(abs(one), abs(other)) > 1.79e308 && one.sign == other.sign }
        return abs(one - other) <= max(4 * other.ulp, abs(other) * 1e-14)
    }

    private func checkList(_ connection: Connection) throws {
        let wanted = values[0]
        guard !Self.isNaN(wanted), !list.contains(where: Self.isNaN) else { return }
        let found: Int? = try connection.query("SELECT \(wanted) IN \(in: list)")
        var one: Int? = list.isEmpty ? 0 : nil
        let terms = list.map { "(\(wanted) = \($0))" as SQL }.joined(separator: " OR ")
        if !list.isEmpty { one = try connection.query("SELECT \(terms)") }
        try requireEqual(found, one, "a list of \(list.count) values")
    }

    /// A name in a result is the one that was given. Reading by it finds the first column that SQLite takes for it.
    private func checkColumnNames(_ connection: Connection) throws {
        let row: Row?? = try allowingErrors {
            try connection.query("SELECT 1 AS \(name: columns[0]), 2 AS \(name: columns[1])")
        }
        guard case let row?? = row else { return try require(hasNUL, "the names \(columns) are refused") }
        for (column, name) in zip(row.columns, columns) {
            try require(column.name.utf8.elementsEqual(name.utf8), "\(name.debugDescription) became \(column.name)")
        }
        let isSame = columns[0].utf8.elementsEqual(columns[1].utf8)
        try requireEqual(row[columns[0]], 1, "the first column")
        try requireEqual(row[columns[1]], isSame ? 1 : 2, "the second column")
    }

    /// A table with the names exists under them, has the default values, and can be used by name.
    private func checkTable(_ connection: Connection) throws {
        let isPossible = try isPossible(connection)
        let created: Void? = try allowingErrors {
            try connection.createTable(
                table,
                [
                    "\(name: columns[0]) DEFAULT \(values[0])",
                    "\(name: columns[1]) CHECK (\(values[1]) IS \(values[1]))",
                ])
        }
        guard created != nil else {
            return try require(!isPossible, "the names \(names) are refused")
        }
        let names: [String] = try connection.query("SELECT name FROM sqlite_schema WHERE name <> 'untouched'")
        try require(
            names.count == 1 && names[0].utf8.elementsEqual(table.utf8), "\(table.debugDescription) became \(names)")
        let info = try connection.tableInfo(table)
        try require(
            info.map { zip($0.columns, columns).allSatisfy { $0.name.utf8.elementsEqual($1.utf8) } } == true,
            "\(columns) became \(info?.columns.map(\.name) ?? [])")
        let other = try Connection(":memory:")
        if let info { try other.run(info.sql) }
        try requireEqual(try other.tableInfo(table), info, "the table made of its own definition")
        try connection.insert(into: table, [columns[1]: values[1]])
        let row = try connection.query("SELECT \(name: columns[0]), \(name: columns[1]) FROM \(name: table)") as Row?
        let stored = row?.columns.map(\.bindingValue) ?? []
        try require(stored.count == 2 && Self.isLiteral(stored[0], of: values[0]), "the default value of \(stored)")
        try requireEqual(stored[1], values[1], "the row")
        try requireEqual(try connection.count(table, where: "\(name: columns[1]) IS \(values[1])"), 1, "the count")
        try requireEqual(try connection.update(table, set: [columns[0]: values[1]]), 1, "the update")
        try connection.createIndex(table + "'\"", on: table, columns[0], columns[1])
        try requireEqual(
            try connection.delete(from: table, where: "\(name: columns[0]) IS \(values[1])"), 1, "the deletion")
        try connection.dropTable(table)
        try requireEqual(try connection.tableNames(), ["untouched"], "the tables at the end")
    }

    /// Whether SQLite can have a table with these names and defaults.
    private func isPossible(_ connection: Connection) throws -> Bool {
        if hasNUL || values.contains(where: Self.isNaN) || columns[0].utf8.isFolded(equalTo: columns[1].utf8) {
            return false
        }
        let folded = String(decoding: table.utf8.map { (65...90).contains($0) ? $0 | 32 : $0 }, as: UTF8.self)
        return !folded.utf8.starts(with: "sqlite_".utf8) && folded != "untouched"
    }
}

extension String.UTF8View {
    /// Whether the bytes are equal if ASCII letters are in lower case.
    func isFolded(equalTo other: String.UTF8View) -> Bool {
        func folded(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 32 : byte }
        return elementsEqual(other) { folded($0) == folded($1) }
    }
}
