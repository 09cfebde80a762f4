import Foundation
import Squall
import SquallTestSupport
import Testing

/// Values never become part of the text of SQL, whatever they are and whichever verb has them.
struct NoValueInSQLTests {
    static let hostile: [String] = {
        let pieces = [
            "'", "\"", ";", "--", "?", "\0", "%", "_", "\\", "é", "🦆", "DROP TABLE users", ")", "[", "`", "\n",
        ]
        var generator = TestSeed.of().generator()
        return pieces
            + (0..<40).map { _ in
                (0..<Int.random(in: 1...8, using: &generator)).compactMap { _ in pieces.randomElement(using: &generator)
                }
                .joined()
            }
    }()

    @Test(arguments: hostile) func everyVerb(_ text: String) throws {
        let connection = try Connection()
        try connection.create(User.table)
        let user = User(id: 1, name: text, email: text, age: 1)
        try connection.insert(user)
        #expect(try connection.find(User.self, 1) == user)
        try connection.replace(user)
        try connection.upsert(user, onConflict: \.email)
        try connection.update(user)
        try connection.update(user, \.name)
        try connection.prepareInsert(into: User.table).run(2, text, nil, 2)
        try connection.insert(contentsOf: (3...100).map { User(id: $0, name: text, email: nil, age: 1) })
        let queries = [
            User.where { $0.name == text && $0.name != text + "x" && $0.name <= text && $0.email.in([text]) },
            User.where { $0.name.between(text, and: text) }.limit(1),
            User.where { $0.name.replacing(text, with: text) == text && $0.name.index(of: text) == 1 },
            User.where { $0.name.appending(text) == text + text && $0.email.default(text) == text },
            User.where { "\($0.name) = \(text)" },
        ]
        for query in queries {
            // By bytes: `String.contains` finds "?\0\0" where only "?" is.
            #expect(text.utf8.count < 4 || !Array(query.sql.text.utf8).contains(Array(text.utf8)))
            #expect(!query.sql.parameters.isEmpty)
            let found = try connection.first(query.order { $0.id.ascending })
            // SQLite's own text functions stop at a NUL.
            #expect(found == user || text.contains("\0"))
        }
        #expect(
            try connection.update(User.self) {
                $0.name.set(to: text)
            } where: {
                $0.name == text
            } == 100)
        #expect(try connection.count(User.self) { $0.name == text } == 100)
        #expect(try connection.max(\User.name) { $0.name == text } == text)
        #expect(
            try connection.groupConcat(\User.email, separator: text) { $0.email == text } == text || text.contains("\0")
        )
        #expect(try connection.update("users", set: ["name": text], where: "name = \(text)") == 100)
        #expect(try connection.select("name", from: "users", where: "email = \(text)") == [text])
        try connection.upsert(into: "users", ["email": text, "name": text, "age": 1], onConflict: "email")
        #expect(try connection.delete(from: "users", where: "email = \(text)") == 1)
        #expect(try connection.delete(User.self) { $0.name == text } == 99)
    }
}
