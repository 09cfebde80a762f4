import Foundation
import SQiftCompatibility
import Testing

/// Calls of SQift's README with SQL in a `String` variable.
struct SQiftReadMeTests {
    @Test func pricesByName() throws {
        let page: any Page = ReadMe(connection: try StringFormTests.cars())
        #expect(try page.prices == ["Audi": 52_642])
    }

    @Test func aDateOfARow() throws {
        let page: any Page = ReadMe(connection: try Connection(storageLocation: .inMemory))
        #expect(try page.releaseDate == Date(timeIntervalSince1970: 0))
    }

    @Test func stripUnicode() throws {
        let page: any Page = ReadMe(connection: try Connection(storageLocation: .inMemory))
        #expect(try page.stripped == ["a", "c", "ac"])
    }

    @Test func anEscapedTextIsTheSameText() throws {
        let page: any Page = ReadMe(connection: try StringFormTests.cars())
        #expect(try page.escaped == ["it's"])
    }
}

private protocol Page {
    var prices: [String: UInt] { get throws }
    var releaseDate: Date { get throws }
    var stripped: [String?] { get throws }
    var escaped: [String] { get throws }
}

private struct ReadMe: Page {
    let connection: Connection

    @available(*, deprecated)
    var prices: [String: UInt] {
        get throws {
            let sql = "SELECT name, price FROM cars WHERE price > ?"
            let prices: [String: UInt] = try connection.query(sql, 20_000) { ($0[0], $0[1]) }
            return prices
        }
    }

    @available(*, deprecated)
    var releaseDate: Date {
        get throws {
            try connection.execute("CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, release_date TEXT)")
            try connection.run(
                "INSERT INTO cars(name, release_date) VALUES(?, ?)", "80s car", Date(timeIntervalSince1970: 0))
            let sql = "SELECT release_date FROM cars WHERE name = ? LIMIT 1"
            let releaseDate: Date = try connection.query(sql, "80s car")
            return releaseDate
        }
    }

    @available(*, deprecated)
    var stripped: [String?] {
        get throws {
            try connection.addScalarFunction(named: "strip_unicode", argumentCount: 1) { _, values in
                guard let value = values.first, value.isText else { return .null }
                return .text(value.text.folding(options: .diacriticInsensitive, locale: nil))
            }

            let sql = "SELECT strip_unicode(?)"

            let result1: String? = try connection.prepare(sql, "å").query()
            let result2: String? = try connection.prepare(sql, "ć").query()
            let result3: String? = try connection.prepare(sql, "áč").query()
            return [result1, result2, result3]
        }
    }

    @available(*, deprecated)
    var escaped: [String] {
        get throws {
            let name = "it's".sqift.addingSQLEscapes()
            try connection.execute("UPDATE cars SET name = " + name)
            return try connection.query("SELECT name FROM cars")
        }
    }
}
