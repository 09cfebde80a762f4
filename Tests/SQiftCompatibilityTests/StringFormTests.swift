import Foundation
import SQiftCompatibility
import Testing

/// SQL in a `String` runs as it does in SQift, and literals are `SQL` all the same.
struct StringFormTests {
    @Test func everyVerbTakesSQLFromAString() throws {
        let forms: any Forms = StringForms(connection: try Self.cars())
        #expect(try forms.values == Array(repeating: "Audi", count: 10))
        #expect(try forms.decoded == ["Audi", "Audi", "Audi", "Audi"])
        #expect(try forms.mapped == Array(repeating: "Audi 52642", count: 12))
        #expect(try forms.written == ["Saab", "Saab", "Saab", "Saab", "Volvo"])
        #expect(try forms.prepared == ["Audi", "Audi", "Audi", "Audi"])
        #expect(try forms.each == ["Audi", "Audi", "Audi"])
        #expect(try forms.plan.hasPrefix("SEARCH cars USING INTEGER PRIMARY KEY"))
    }

    @Test func aLiteralIsSQLAndItsValuesAreBound() throws {
        let connection = try Self.cars()
        let value = "x' OR 'a'='a"
        let one: Int = try connection.query("SELECT count(*) FROM cars WHERE name = \(value)")
        let joined: [String] = try connection.query("SELECT name FROM cars " + "WHERE name = \(value)")
        try connection.run("UPDATE cars SET name = \(value)")
        try connection.execute("UPDATE cars SET name = \(value); UPDATE cars SET name = \(value)")
        #expect(one == 0)
        #expect(joined == [])
        #expect(try connection.query("SELECT DISTINCT name FROM cars") as [String] == [value])
    }

    static func cars() throws -> Connection {
        let connection = try Connection(storageLocation: .inMemory)
        try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)")
        try connection.run("INSERT INTO cars VALUES(1, 'Audi', 52642)")
        return connection
    }
}

private protocol Forms {
    var values: [String?] { get throws }
    var decoded: [String] { get throws }
    var mapped: [String] { get throws }
    var written: [String] { get throws }
    var prepared: [String] { get throws }
    var each: [String] { get throws }
    var plan: String { get throws }
}

private struct Named: Decodable {
    let name: String
}

/// The deprecated forms; a deprecated member may use them without a warning.
private struct StringForms: Forms {
    let connection: Connection
    let sql = "SELECT name, price FROM cars WHERE id = ?"
    let named = "SELECT name, price FROM cars WHERE id = :id"
    let id: [String: (any Bindable)?] = [":id": 1]

    @available(*, deprecated)
    var values: [String?] {
        get throws {
            let one: String = try connection.query(sql, 1)
            let optional: String? = try connection.query(sql, [1])
            let list: [String] = try connection.query(named, id)
            let optionals: [String?] = try connection.query(sql.prefix(100), 1)
            let row = try connection.query(sql, 1)
            let rowOfList = try connection.query(sql, [1])
            let rowByName = try connection.query(named, id)
            let rows: [Row] = try connection.query(sql, 1)
            let rowsOfList: [Row] = try connection.query(sql, [1])
            let spliced: String = try connection.query("SELECT name FROM cars" + " WHERE id = \(1)" + "".lowercased())
            return [one, optional] + list + optionals + [row?[0], rowOfList?[0], rowByName?[0]]
                + (rows + rowsOfList).map { $0[0] }
                + [spliced]
        }
    }

    @available(*, deprecated)
    var decoded: [String] {
        get throws {
            let one: Named = try connection.query(sql, 1)
            let optional: Named? = try connection.query(sql, [1])
            let list: [Named] = try connection.query(named, id)
            return [one.name, optional?.name ?? ""] + list.map(\.name) + [
                try connection.query(sql, 1, as: Named.self).name
            ]
        }
    }

    @available(*, deprecated)
    var mapped: [String] {
        get throws {
            let text: (Row) -> String = { "\($0[0] as String) \($0[1] as Int)" }
            let pair: (Row) -> (String, Int) = { ($0[0], $0[1]) }
            let pairSoFar: ([String: Int], Row) -> (String, Int) = { ($1[0], $1[1] + $0.count) }
            let optionals: [String?] = [
                try connection.query(sql, 1, body: text), try connection.query(sql, [1], body: text),
                try connection.query(named, id, body: text),
            ]
            let lists: [[String]] = [
                try connection.query(sql, 1, body: text), try connection.query(sql, [1], body: text),
                try connection.query(named, id, body: text),
            ]
            let dictionaries: [[String: Int]] = [
                try connection.query(sql, 1, body: pair), try connection.query(sql, [1], body: pair),
                try connection.query(named, id, body: pair), try connection.query(sql, 1, body: pairSoFar),
                try connection.query(sql, [1], body: pairSoFar), try connection.query(named, id, body: pairSoFar),
            ]
            return optionals.compactMap { $0 } + lists.flatMap { $0 }
                + dictionaries.flatMap { $0.map { "\($0.key) \($0.value)" } }
        }
    }

    @available(*, deprecated)
    var written: [String] {
        get throws {
            let insert = "INSERT INTO cars(name) VALUES(?)"
            try connection.run(insert, "Saab")
            try connection.run(insert, ["Saab"])
            try connection.run("INSERT INTO cars(name) VALUES(:name)" as String, [":name": "Saab"])
            try connection.prepare(insert).bind("Saab").run()
            let script = "INSERT INTO cars(name) VALUES('x'); UPDATE cars SET name = 'Volvo' WHERE name = 'x'"
            try connection.execute(script)
            return try connection.query("SELECT name FROM cars WHERE id > 1 ORDER BY id")
        }
    }

    @available(*, deprecated)
    var prepared: [String] {
        get throws {
            try [
                connection.prepare(sql, 1), connection.prepare(sql, [1]), connection.prepare(named, id),
                Statement(connection: connection, sql: sql).bind(1),
            ].map { try $0.query() }
        }
    }

    @available(*, deprecated)
    var each: [String] {
        get throws {
            var names: [String] = []
            try connection.forEach(sql, 1) { names.append($0[0]) }
            try connection.forEach(sql, [1]) { names.append($0[0]) }
            try connection.forEach(named, id) { names.append($0[0]) }
            return names
        }
    }

    @available(*, deprecated)
    var plan: String {
        get throws { try connection.explainQueryPlan(sql, 1).nodes.map(\.detail).joined() }
    }
}

/// The forms of `query` with a `SQL` that exist here alone.
struct DictionaryFormTests {
    @Test func dictionariesOfClosuresBesideNilAndLists() throws {
        let connection = try StringFormTests.cars()
        try connection.run("INSERT INTO cars VALUES(2, 'Saab', NULL)")
        let found: [[String: Int]] = [
            try connection.query("SELECT name, id FROM cars WHERE price IS ?", nil) { ($0[0], $0[1]) },
            try connection.query("SELECT name, id FROM cars WHERE price IS ?", nil) { ($1[0], $0.count + $1[1]) },
            try connection.query("SELECT name, id FROM cars WHERE id = ?", [2]) { ($0[0], $0[1]) },
            try connection.query("SELECT name, id FROM cars WHERE id = :id", ["id": 2]) { ($1[0], $0.count + $1[1]) },
            try connection.prepare("SELECT name, id FROM cars WHERE id = 2").query { ($0[0], $0[1]) },
            try connection.prepare("SELECT name, id FROM cars WHERE id = 2").query { ($1[0], $0.count + $1[1]) },
        ]
        #expect(found == Array(repeating: ["Saab": 2], count: 6))
    }
}
