import Squall
import SquallTestSupport
import Testing

/// Queries that are built at each call find the statement of their text, from whatever pieces the text is put together.
struct BuiltStatementTests {
    @Test func queriesShareAStatementOnlyIfTheirTextIsTheSame() throws {
        let seed = TestSeed.of()
        var random = seed.generator()
        var configuration = Configuration()
        configuration.statementCacheCapacity = 100_000
        let connection = try Self.connection(configuration)
        configuration.statementCacheCapacity = 0
        let plain = try Self.connection(configuration)

        let start = connection.statementCache.misses
        var texts: Set<[UInt8]> = []
        for _ in 0..<2000 {
            let built = BuiltQuery(&random)
            let (sql, text) = (built.query.sql, built.text)
            #expect(Array(sql.text.utf8) == Array(text.utf8), "seed \(seed)")
            #expect(sql.parameters == built.values, "\(text), seed \(seed)")
            let ids: [Int64] = try plain.query(SQL(raw: text), built.values.map { $0 as (any Bindable)? })
            #expect(try connection.all(built.query).compactMap(\.id) == ids, "\(text), seed \(seed)")
            texts.insert(Array(text.utf8))
        }
        #expect(connection.statementCache.misses - start == texts.count, "seed \(seed)")
    }

    /// The rows of a query without an order are in the order of the keys: both connections have the same file.
    private static func connection(_ configuration: Configuration) throws -> Connection {
        let connection = try Connection(":memory:", configuration: configuration)
        try connection.create(User.table)
        try connection.create(Post.table)
        for id in 1...40 {
            let name = ["Ada", "ada", "caf\u{E9}", "cafe\u{301}", "Bo"][id % 5]
            try connection.insert(
                User(id: Int64(id), name: name, email: id % 3 == 0 ? nil : "\(id)@example.org", age: id * 7 % 30))
            if id % 4 == 0 { try connection.insert(Post(id: nil, author: Int64(id), title: name, score: Double(id))) }
        }
        return connection
    }

    /// `String` would treat these names as equal.
    @Test func namesThatOnlyUnicodeTreatsAsEqualAreDifferentTables() throws {
        let connection = try Connection(storageLocation: .inMemory)
        let tables = ["caf\u{E9}", "cafe\u{301}"].map { name in
            Table(name, Point.self) {
                Column("x", \Point.x, .primaryKey)
                Column("y", \Point.y)
            }
        }
        for (index, table) in tables.enumerated() {
            try connection.create(table)
            try connection.table(table).insert(Point(x: 1, y: index))
        }
        for round in 0..<4 {
            let table = tables[round % 2]
            #expect(try connection.all(table.where { $0.x == 1 }.limit(3)).map(\.y) == [round % 2])
        }
    }

    /// Another statement in between makes the cache look by the hash of the text.
    @Test func textsInDifferentPiecesHaveTheSameStatement() throws {
        let connection = try Connection(storageLocation: .inMemory)
        let text = "SELECT 1234567 + 89, 'eight bytes' || '', 'é\u{301}' -- and a comment"
        let start = connection.statementCache.misses
        for first in 0...text.utf8.count {
            for second in [first, first + 3, first + 8, first + 17] where second <= text.utf8.count {
                let pieces = [
                    text.utf8.prefix(first), text.utf8.prefix(second).dropFirst(first), text.utf8.dropFirst(second),
                ].map { String(Substring($0)) }
                guard pieces.joined() == text, pieces.allSatisfy({ !$0.unicodeScalars.contains("\u{FFFD}") }) else {
                    continue
                }
                let sql = pieces.map { SQL(raw: $0) }.joined()
                #expect(try connection.query(sql) == 1_234_656)
                #expect(try connection.query("SELECT 2") == 2)
            }
        }
        #expect(connection.statementCache.misses - start == 2)
    }

    @Test func joinedTextsTakeParameters() throws {
        let connection = try Connection(storageLocation: .inMemory)
        #expect(try connection.query("SELECT " as SQL + "? + ?", 1, 2) == 3)
        #expect("SELECT " as SQL + "1" == "SELECT 1")
        #expect(("x -" as SQL + "\(-1)" + " + 2").debugDescription == "x - -1 + 2")
    }

    /// The array makes room for the rows of a limit, but not for more than a few.
    @Test func aLimitCanBeMuchLargerThanTheNumberOfRows() throws {
        let connection = try Self.connection(Configuration())
        #expect(try connection.all(User.limit(.max)).count == 40)
        #expect(try connection.all(User.limit(0)) == [])
        #expect(try connection.all(User.order { $0.id }.limit(2, offset: 3)).map(\.id) == [4, 5])
    }
}

/// A random query, and the SQL and the values that it must have.
private struct BuiltQuery {
    let query: Query<Columns<User>>
    private(set) var text: String
    private(set) var values: [BindingValue] = []

    init(_ random: inout SeededGenerator) {
        let alias = random.chance(20) ? random.pick(["u", "U", "caf\u{E9}", "cafe\u{301}", #"a"b"#]) : nil
        let name = alias.map { Self.quoted($0) } ?? #""users""#
        var query = alias.map { User.as($0).query } ?? User.query
        var conditions: [BuiltCondition] = []
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let condition = BuiltCondition(name, &random, depth: 2)
            query = query.where(condition.condition)
            conditions.append(condition)
        }
        var orders: [String] = []
        if random.chance(50) {
            query = query.order { $0.age.descending }
            orders.append("\(name).\"age\" DESC")
        }
        if random.chance(50) {
            query = query.order {
                $0.email.ascending.nullsLast
                $0.id
            }
            orders += ["\(name).\"email\" ASC NULLS LAST", "\(name).\"id\" ASC"]
        }
        var end = ""
        if random.chance(50) {
            let limit = Int.random(in: 0...30, using: &random)
            let offset = random.chance(50) ? Int.random(in: 0...5, using: &random) : nil
            query = query.limit(limit, offset: offset)
            end = " LIMIT ?" + (offset == nil ? "" : " OFFSET ?")
            values = ([limit] + [offset].compactMap { $0 }).map { .integer(Int64($0)) }
        }
        if random.chance(20) { query = query.distinct() }
        let columns = ["id", "name", "email", "age"].map { "\(name).\"\($0)\"" }.joined(separator: ", ")
        text = "SELECT \(query.sql.text.hasPrefix("SELECT DISTINCT") ? "DISTINCT " : "")\(columns) FROM \"users\""
        if alias != nil { text += " AS \(name)" }
        if let first = conditions.first {
            let all = conditions.dropFirst().reduce(first) { $0.joined("AND", $1) }
            text += " WHERE \(all.text)"
            values = all.values + values
        }
        if !orders.isEmpty { text += " ORDER BY \(orders.joined(separator: ", "))" }
        text += end
        self.query = query
    }

    static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}

/// A random condition on users, and the SQL and the values that it must have.
private struct BuiltCondition {
    let condition: (Columns<User>) -> Condition
    let text: String
    let values: [BindingValue]
    /// The operator of its terms, `""` for one that stands beside operators as it is, `"raw"` for one in parentheses.
    let word: String

    private init(
        _ text: String, _ values: [BindingValue] = [], word: String = "",
        _ condition: @escaping (Columns<User>) -> Condition
    ) {
        self.condition = condition
        self.text = text
        self.values = values
        self.word = word
    }

    init(_ name: String, _ random: inout SeededGenerator, depth: Int) {
        if depth > 0, random.chance(50) {
            let left = BuiltCondition(name, &random, depth: depth - 1)
            let right = BuiltCondition(name, &random, depth: depth - 1)
            self = left.joined(random.chance(50) ? "AND" : "OR", right)
            return
        }
        let number = Int.random(in: 0...30, using: &random)
        let word = random.pick(["Ada", "caf\u{E9}", "cafe\u{301}", "'); DROP TABLE users --"])
        let optional = random.chance(50) ? nil : "\(number)@example.org"
        let (integer, string) = (BindingValue.integer(Int64(number)), BindingValue.text(word))
        switch Int.random(in: 0...12, using: &random) {
        case 0: self.init("\(name).\"age\" >= ?", [integer]) { $0.age >= number }
        case 1: self.init("\(name).\"age\" < ?", [integer]) { $0.age < number }
        case 2: self.init("? < \(name).\"age\"", [integer]) { number < $0.age }
        case 3: self.init("\(name).\"name\" = ?", [string]) { $0.name == word }
        case 4: self.init("\(name).\"name\" <> ?", [string]) { $0.name != word }
        case 5:
            self.init("\(name).\"email\" \(optional == nil ? "IS NULL" : "= ?")", optional.map { [.text($0)] } ?? []) {
                $0.email == optional
            }
        case 6:
            self.init(
                "\(name).\"email\" \(optional == nil ? "IS NOT NULL" : "<> ?")", optional.map { [.text($0)] } ?? []
            ) { $0.email != optional }
        case 7: self.init("\(name).\"email\" IS NULL") { $0.email == nil }
        case 8:
            self.init("\(name).\"name\" COLLATE NOCASE = ?", [string], word: "raw") {
                "\($0.name) COLLATE NOCASE = \(word)"
            }
        case 9:
            self.init("\(name).\"age\" BETWEEN ? AND ?", [.integer(3), integer], word: "raw") {
                $0.age.between(3, and: number)
            }
        case 10:
            let numbers = Array(0..<Int.random(in: 1...4, using: &random))
            let padded = numbers.count == 3 ? [0, 1, 2, 2] : numbers
            let marks = padded.map { _ in "?" }.joined(separator: ", ")
            self.init("\(name).\"age\" IN (\(marks))", padded.map { .integer(Int64($0)) }) { $0.age.in(numbers) }
        case 11: self.init("\(name).\"id\" = \(name).\"age\"") { $0.id == $0.age }
        default:
            self.init(
                """
                EXISTS (SELECT 1 FROM "posts" WHERE "posts"."author" = \(name)."id" AND "posts"."score" > ?)
                """,
                [.real(Double(number))]
            ) { user in Post.where { $0.author == user.id && $0.score > Double(number) }.exists }
        }
    }

    func joined(_ word: String, _ other: BuiltCondition) -> BuiltCondition {
        let text = "\(operand(of: word)) \(word) \(other.operand(of: word))"
        return BuiltCondition(text, values + other.values, word: word) { [condition] in
            word == "AND" ? condition($0) && other.condition($0) : condition($0) || other.condition($0)
        }
    }

    private func operand(of word: String) -> String { self.word == "" || self.word == word ? text : "(\(text))" }
}
