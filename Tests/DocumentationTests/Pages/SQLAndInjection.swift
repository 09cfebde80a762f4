// swift-format-ignore-file
import Foundation
import Squall
import SquallSearch
import SquallTestSupport
import Testing

struct SQLAndInjectionPage {
    struct Car: TableRecord, Decodable, Equatable {
        let id: Int64?
        let name: String
        let price: Int?

        static let table = Table("cars", Car.init) {
            Column("id", \Car.id, .primaryKey)
            Column("name", \Car.name)
            Column("price", \Car.price)
        }
    }

    func cars() throws -> Connection {
        let connection = try Connection(":memory:")
        try connection.create(Car.table)
        try connection.execute("INSERT INTO cars VALUES(1, 'Audi', 52642), (2, 'Saab 100%', 9000), (3, 'Saab 1000', 30000)")
        return connection
    }

    func search(name: String?, limit: Int?, in connection: Connection) throws -> [Car] {
        var conditions: [SQL] = ["TRUE"]
        if let name { conditions.append("name = \(name)") }
        if let limit { conditions.append("price <= \(limit)") }
        let filter = conditions.joined(separator: " AND ")
        return try connection.query("SELECT * FROM cars WHERE \(filter)")
    }

    @Test func literals() throws {
        let connection = try cars()
        let name = "'; DROP TABLE cars; --"
        let found: [Int] = try connection.query("SELECT id FROM cars WHERE name = \(name)")
        // SELECT id FROM cars WHERE name = ?
        #expect(found == [])

        let expensive: SQL = "price > \(20_000)"
        let sql: SQL = "SELECT name FROM cars WHERE \(expensive) ORDER BY name"
        print(sql.text)             // SELECT name FROM cars WHERE price > ? ORDER BY name
        print(sql.parameters)       // [Squall.BindingValue.integer(20000)]
        print(sql.debugDescription) // SELECT … WHERE price > 20000 ORDER BY name
        let names: [String] = try connection.query(sql)
        #expect(names == ["Audi", "Saab 1000"])
        #expect(sql.text == "SELECT name FROM cars WHERE price > ? ORDER BY name")
        #expect("\(sql.parameters)" == "[Squall.BindingValue.integer(20000)]")
        #expect(sql.debugDescription == "SELECT name FROM cars WHERE price > 20000 ORDER BY name")

        let ids = [1, 2, 3]
        let some: [Car] = try connection.query("SELECT * FROM cars WHERE id IN \(in: ids)")
        // SELECT * FROM cars WHERE id IN (?, ?, ?, ?)      values 1, 2, 3, 3
        #expect(some.count == 3)
        #expect(("\(in: ids)" as SQL).text == "(?, ?, ?, ?)")
        #expect(("\(in: ids)" as SQL).parameters == [.integer(1), .integer(2), .integer(3), .integer(3)])
        #expect(try connection.query("SELECT count(*) FROM cars WHERE id IN \(in: [] as [Int])") == 0)
        #expect(try connection.query("SELECT count(*) FROM cars WHERE id NOT IN \(in: [] as [Int])") == 3)
        #expect(try search(name: nil, limit: nil, in: connection).count == 3)
        #expect(try search(name: nil, limit: 10_000, in: connection).map(\.name) == ["Saab 100%"])
        #expect(try search(name: "Audi", limit: 10_000, in: connection) == [])
        #expect(("\(name: "a\"b")" as SQL).text == #""a""b""#)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT \(name: "a\0b")") }
    }

    @Test func parameters() throws {
        let connection = try cars()
        try connection.run("DELETE FROM cars")
        let name = "Audi"

        try connection.run("INSERT INTO cars(name, price) VALUES(?, ?)", "Audi", 52_642)
        try connection.run("UPDATE cars SET price = ? WHERE name = ?", nil, "Audi")
        try connection.run(
            "INSERT INTO cars(name, price) VALUES(:name, :price)",
            ["name": "Saab", ":price": 9_000])
        #expect(try connection.all(Car.self).map(\.price) == [nil, 9_000])

        let mixed = try sqliteError {
            try connection.run("DELETE FROM cars WHERE id = \(1) AND name = ?", "Audi") // throws
        }
        #expect(mixed.resultCode == .misuse)
        let quoted = try sqliteError {
            try connection.run("DELETE FROM cars WHERE name = '\(name)'")               // throws
        }
        #expect(quoted.kind == .valueInsideQuotes)
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?, ?", 1) }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT :a", ["b": 1]) }
        #expect(try connection.count(Car.self) == 2)

        let (first, second) = ("Ada", "Ben")
        try connection.execute("""
            CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO owners(name) VALUES(\(first));
            INSERT INTO owners(name) VALUES(\(second));
            """)
        #expect(try connection.query("SELECT name FROM owners") == ["Ada", "Ben"])
        try connection.createTable("limits", ["name TEXT CHECK (name != \("O'Hara"))"])
        #expect((try connection.query("SELECT sql FROM sqlite_schema WHERE name = 'limits'") as String).contains("!= 'O''Hara'"))
    }

    enum Sorting: String {
        case name, price

        var sql: SQL {
            switch self {
            case .name: "name COLLATE NOCASE"
            case .price: "price DESC, name"
            }
        }
    }

    func escapedForLike(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "\\" { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }

    @Test func names() throws {
        let connection = try cars()
        let ascending = Bool("false") ?? true
        do {
            let direction: SQL = ascending ? "ASC" : "DESC"
            let sorted: [Car] = try connection.query(
                "SELECT * FROM cars ORDER BY name \(direction)")
            // not: ORDER BY name \(ascending ? "ASC" : "DESC")
            #expect(sorted.map(\.name) == ["Saab 1000", "Saab 100%", "Audi"])
            #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM cars ORDER BY name \(ascending ? "ASC" : "DESC")") }
            #expect(("\(ascending ? "ASC" : "DESC")" as SQL).parameters == [.text("DESC")])
        }
        let input = "price"
        guard let sorting = Sorting(rawValue: input) else { throw CocoaError(.formatting) }
        let all: [Car] = try connection.query("SELECT * FROM cars ORDER BY \(sorting.sql)")
        #expect(all.map(\.name) == ["Audi", "Saab 1000", "Saab 100%"])
        #expect(try connection.query("SELECT name FROM cars ORDER BY \(input)") == ["Audi", "Saab 100%", "Saab 1000"])
        #expect(try Connection(storageLocation: .inMemory).query("SELECT \"nmae\"") == "nmae")
        #expect(throws: SQLiteError.self) { try connection.run("SELECT \"nmae\"") }
        #expect(try connection.query("SELECT name FROM cars LIMIT \(-1)") as [String] == ["Audi", "Saab 100%", "Saab 1000"])
    }

    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_FTS5"))) func patterns() throws {
        let connection = try cars()
        do {
            let pattern = "%" + escapedForLike("100%") + "%"
            let likes: [String] = try connection.query(
                "SELECT name FROM cars WHERE name LIKE \(pattern) ESCAPE '\\'")
            let typed = try connection.all(Car.self) { $0.name.like(pattern, escape: "\\") }
            #expect(likes == ["Saab 100%"] && typed.map(\.name) == likes)
            #expect(try connection.query("SELECT name FROM cars WHERE instr(name, \("100%")) > 0") == likes)
        }
        do {
            try connection.execute("CREATE VIRTUAL TABLE notes USING fts5(text); INSERT INTO notes VALUES('new tyre and lamp')")
            let pattern = SearchPattern.allWords("tyre \"AND")         // "tyre" """AND"
            let rows: [Int] = try connection.query("SELECT rowid FROM notes(\(pattern))")
            // SELECT rowid FROM notes(?), which is … WHERE notes MATCH ?
            #expect(pattern.text == #""tyre" """AND""# && rows == [1])
            #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM notes WHERE notes MATCH \("\"milk")") }
            #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM notes WHERE notes MATCH \("")") }
            #expect(throws: SQLiteError.self) { try connection.run("SELECT rowid FROM notes WHERE notes MATCH \(nil as String?)") }
            #expect(try connection.query("SELECT rowid FROM notes WHERE notes MATCH \("\"tyr\"*")") as [Int] == [1])
        }
        connection.addAuthorizer { action, first, _, _, _ in
            switch action {
            case .select, .function: .ok
            case .read: first == "cars" ? .ok : .deny
            default: .deny
            }
        }
        #expect(try connection.query("SELECT count(*) FROM cars") == 3)
        #expect(try sqliteError { try connection.run("DELETE FROM cars") }.resultCode == .authorizationDenied)
        #expect(try sqliteError { try connection.run("SELECT * FROM notes") }.resultCode == .authorizationDenied)
    }
}
