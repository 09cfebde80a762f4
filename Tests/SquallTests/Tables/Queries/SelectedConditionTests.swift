import Foundation
import Squall
import SquallTestSupport
import Testing

/// A condition as a selected value: a `Bool`, which is true for the rows that WHERE would keep.
struct SelectedConditionTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.create(User.table)
        try connection.create(Post.table)
        try connection.insert(contentsOf: [
            User(id: 1, name: "Ada", email: "a", age: 36), User(id: 2, name: "Bo", email: nil, age: 7),
        ])
        try connection.insert(Post(id: 1, author: 1, title: "Notes", score: 3))
    }

    @Test func aConditionIsABool() throws {
        let query = User.order { $0.id }.select { ($0.name, $0.age > 17) }
        #expect(
            query.sql.debugDescription.hasPrefix(#"SELECT "users"."name", ("users"."age" > 17) IS TRUE FROM "users""#))
        let rows: [(String, Bool)] = try connection.all(query)
        #expect(rows.map(\.0) == ["Ada", "Bo"] && rows.map(\.1) == [true, false])
        let single: [Bool] = try connection.all(User.order { $0.id }.select { 17 < $0.age && $0.name.hasPrefix("A") })
        #expect(single == [true, false])
        #expect(try connection.first(User.where { $0.id == 2 }.select { ($0.record, $0.age > 5) })?.1 == true)
    }

    /// Of a column that is NULL, a condition and its negation are not true, as in WHERE.
    @Test func nullIsFalse() throws {
        let rows = try connection.all(
            User.order { $0.id }.select { ($0.email == "a", !($0.email == "a"), $0.email == nil) })
        let isA = rows.map(\.0), isNotA = rows.map(\.1), isNull = rows.map(\.2)
        #expect(isA == [true, false] && isNotA == [false, false] && isNull == [false, true])
        for (row, id) in zip(isA, [1, 2]) {
            #expect(try connection.exists(User.self) { $0.id == Int64(id) && $0.email == "a" } == row)
        }
        let joined = User.leftJoin(Post.self) { $0.id == $1.author }.order { user, _ in user.id }
            .select { ($0.name, $1.score > 1) }
        #expect(try connection.all(joined).map(\.1) == [true, false])
    }

    @Test func inSubqueriesAndOtherTypes() throws {
        struct Entry: Equatable { let name: String, isAdult: Bool, hasPosts: Bool }
        let entries = User.order { $0.id }.select(into: Entry.init) { user in
            (user.name, user.age > 17, Post.where { $0.author == user.id }.exists)
        }
        let expected = [
            Entry(name: "Ada", isAdult: true, hasPosts: true), Entry(name: "Bo", isAdult: false, hasPosts: false),
        ]
        #expect(try connection.all(entries) == expected)
        let named = User.select { ($0.id, $0.age > 17) }.named("adults")
        #expect(try connection.all(named.where { $0.1 }.select { $0.0 }) == [1])
        #expect(try connection.all(named.where { !$0.1 }.select { $0.0 }) == [2])
        let outer = Post.rightJoin(named) { $0.author == $1.0 }.order { $1.0 }.select { ($1.0, $1.1) }
        #expect(try connection.all(outer).map(\.1) == [true, false])
        let missing = User.leftJoin(Post.select { ($0.author, $0.score > 1) }.named("scored")) { $0.id == $1.0 }
            .order { user, _ in user.id }.select { ($0.name, $1.1) }
        let found: [(String, Bool?)] = try connection.all(missing)
        #expect(found.map(\.1) == [true, nil])
    }

    @Test func valuesAreBound() throws {
        let name = "x' OR 1 = 1 --"
        let query = User.select { ($0.id, $0.name == name) }
        #expect(query.sql.parameters == [.text(name)])
        #expect(try connection.all(query).map(\.1) == [false, false])
    }
}
