import Foundation
import Squall

/// Values of every kind, read into Swift types: a value that memory is missing for must be an error, and never `nil`, 0 or an
/// empty text.
struct ValueScenario: Scenario {
    var name: String { "values and queries" }

    private struct Person: Codable, Equatable {
        var id: Int
        var name: String
        var nick: String?
        var born: Date
        var photo: Data
        var tags: String
    }

    private static let text = "A text that needs memory of its own: 👩‍🚀, äöü, 日本語"

    func prepare(_ connection: Connection) throws {
        try connection.execute(
            """
            PRAGMA encoding = 'UTF-16';
            CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, nick TEXT, born TEXT, photo BLOB, tags TEXT)
            """
        )
        for id in 1...3 {
            try connection.run(
                "INSERT INTO people VALUES(?, ?, ?, ?, ?, ?)", id, Self.text, "nick \(id)",
                Date(timeIntervalSince1970: 86_400), Data(repeating: 7, count: 300), JSONBinding(["a", "b"]))
        }
    }

    func open(_ folder: String) async throws -> Connection {
        let connection = try Connection("\(folder)/main.db", configuration: .laboratory())
        try connection.addFunction("byteCount") { (bytes: Data, text: String) in bytes.count + text.utf8.count }
        return connection
    }

    /// A text that could not be converted a moment ago, but can be when the error is made, looks like one that the type does
    /// not accept.
    func expects(_ error: any Error, _ fault: Fault, _ failedCall: String) -> Bool {
        if fault == .oneAllocation, (error as? ConversionError)?.reason == .unacceptable { return true }
        return fault.codes(failedCall).contains { $0 ~= error }
    }

    var steps: [Step<Connection>] {
        [
            // The file is in UTF-16: SQLite converts each text when it is read, and needs memory for that.
            Step { connection in
                let names: [String] = try connection.query("SELECT name FROM people")
                try expect(names, Array(repeating: Self.text, count: 3))
                let nick: String? = try connection.query("SELECT nick FROM people WHERE id = 2")
                try expect(nick, "nick 2")
                let nicks: [String?] = try connection.query("SELECT nick FROM people")
                try expect(nicks, ["nick 1", "nick 2", "nick 3"])
                let pairs = try connection.query("SELECT id, name FROM people", as: (Int, String?).self)
                try expect(pairs.map(\.1), Array(repeating: Self.text, count: 3))
                let byName: [String: String] = try connection.query("SELECT nick, name FROM people") {
                    (try $0.get(0), try $0.get(1))
                }
                try expect(byName["nick 3"], Self.text)
            },
            Step { connection in
                let person: Person? = try connection.query("SELECT * FROM people WHERE id = 1")
                try expect(person?.name, Self.text)
                try expect(person?.nick, "nick 1")
                try expect(person?.photo.count, 300)
                try expect(person?.tags, #"["a","b"]"#)
                let row = try connection.query("SELECT id, name AS a_rather_long_name, photo FROM people LIMIT 1")
                try expect(try row?.get("a_rather_long_name"), Self.text)
                try expect(row?.columns.map(\.name), ["id", "a_rather_long_name", "photo"])
                try expect(try row?.get("photo"), Data(repeating: 7, count: 300))
            },
            Step { connection in
                var bytes = 0
                try connection.forEach("SELECT name, photo FROM people") { row in
                    bytes += try row.withUTF8("name") { (name: Span<UInt8>) in name.count }
                    bytes += try row.withBytes("photo") { $0.byteCount }
                    try expect(try row.get("name"), Self.text)
                }
                try expect(bytes, 3 * (Self.text.utf8.count + 300))
            },
            Step { connection in
                let zeros: Data = try connection.query("SELECT zeroblob(2000)")
                try expect(zeros, Data(repeating: 0, count: 2000))
                let count: Int = try connection.query("SELECT byteCount(zeroblob(3000), ?)", Self.text)
                try expect(count, 3000 + Self.text.utf8.count)
            },
            Step { connection in
                let statement = try connection.prepare("SELECT name, nick FROM people WHERE id = :id")
                try statement.bind([":id": 2])
                try expect(statement.columnNames, ["name", "nick"])
                try expect(try statement.step(), true)
                try expect(try statement.row?.get(0), Self.text)
                _ = statement.expandedSQL
            },
            Step { connection in
                let texts: [String] = ["x", Self.text]
                let count: Int = try connection.query("SELECT count(*) FROM people WHERE name IN \(in: texts)")
                try expect(count, 3)
                try connection.run("UPDATE people SET name = name || \(Self.text), photo = \(Data([1, 2, 3]))")
            },
            // The rows are changed before the first one is returned, and stay changed when one cannot be read.
            Step(throwsAfterCommit: true) { connection in
                let ids: [Int64] = try connection.query(
                    "UPDATE people SET nick = upper(nick) WHERE id < 3 RETURNING id")
                try expect(ids, [1, 2])
            },
        ]
    }
}
