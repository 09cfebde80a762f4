import Squall
import SquallTestSupport
import Testing

/// The clauses of queries on one, two and three tables.
struct ClauseQueryTests {
    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.create(User.table)
        try connection.create(Post.table)
        try connection.insert(contentsOf: [
            User(id: 1, name: "Ada", email: nil, age: 36), User(id: 2, name: "Bo", email: nil, age: 17),
            User(id: 3, name: "Cy", email: nil, age: 36),
        ])
        try connection.insert(contentsOf: [
            Post(id: 1, author: 1, title: "One", score: 1), Post(id: 2, author: 1, title: "Two", score: 2.5),
            Post(id: 3, author: 2, title: "Three", score: 4),
        ])
    }

    @Test func everyClauseOnOneTable() throws {
        let query = User.where { $0.age > 10 }.where { $0.name != "Bo" }.group { $0.age }
            .having { $0.name.count() > 1 }.order { $0.age.descending }.limit(5, offset: 0).distinct()
            .select { ($0.age, $0.name.count()) }
        #expect(
            query.sql.debugDescription == """
                SELECT DISTINCT "users"."age", count("users"."name") FROM "users" \
                WHERE "users"."age" > 10 AND "users"."name" <> 'Bo' GROUP BY "users"."age" \
                HAVING count("users"."name") > 1 ORDER BY "users"."age" DESC LIMIT 5 OFFSET 0
                """
        )
        #expect(try connection.all(query).map { "\($0) \($1)" } == ["36 2"])
    }

    @Test func aQueryBeginsWithALimit() throws {
        #expect(User.limit(1).sql.debugDescription.hasSuffix(#"FROM "users" LIMIT 1"#))
        #expect(User.limit(2, offset: 1).sql.debugDescription.hasSuffix(#"FROM "users" LIMIT 2 OFFSET 1"#))
        #expect(try connection.all(User.limit(5, offset: 2).order { $0.id }).map(\.name) == ["Cy"])
        #expect(User.as("other").limit(1).sql.debugDescription.hasSuffix(#"FROM "users" AS "other" LIMIT 1"#))
    }

    @Test func aNegativeLimitThrows() throws {
        let queries: [any Selection<User>] = [
            User.query.limit(-5), User.query.limit(5, offset: -5), User.query.union(User.query).limit(-5),
        ]
        for query in queries {
            #expect(try sqliteError { _ = try connection.all(query) }.kind == .problem(QueryProblem.negativeLimit(-5)))
        }
        let byName = try sqliteError { let _: [String] = try connection.select("name", from: "users", limit: -5) }
        #expect(byName.kind == .problem(QueryProblem.negativeLimit(-5)))
        #expect(try connection.all(User.query.limit(0)).isEmpty)
    }

    @Test func everyClauseOnTwoTables() throws {
        let query = User.join(Post.self) { $0.id == $1.author }.where { $0.age > 10 && $1.score > 0 }
            .group { user, _ in (user.id, user.name) }.having { $1.title.count() > 1 }
            .order {
                $1.score.sum().descending
                $0.name.ascending
            }
            .limit(5).distinct().select { ($0.name, $1.score.sum()) }
        #expect(
            query.sql.debugDescription == """
                SELECT DISTINCT "users"."name", sum("posts"."score") FROM "users" \
                JOIN "posts" ON "users"."id" = "posts"."author" WHERE "users"."age" > 10 AND "posts"."score" > 0.0 \
                GROUP BY "users"."id", "users"."name" HAVING count("posts"."title") > 1 \
                ORDER BY sum("posts"."score") DESC, "users"."name" ASC LIMIT 5
                """
        )
        #expect(try connection.all(query).map { "\($0) \($1 ?? 0)" } == ["Ada 3.5"])
    }

    @Test func everyClauseOnThreeTables() throws {
        let tables = User.join(Post.self) { $0.id == $1.author }
            .leftJoin(User.self) { $2.age == $0.age && $2.id != $0.id }
        let query = tables.where { user, _, _ in user.age > 10 }.group { _, post, other in (post.id, other.id) }
            .having { $0.id.count() > 0 && $1.id.count() > 0 && $2.id.count() < 9 }
            .order { _, post, _ in post.id.ascending }.limit(2, offset: 1).select { ($0.name, $1.title, $2.name) }
        #expect(
            query.sql.debugDescription == """
                SELECT "users"."name", "posts"."title", "users_2"."name" FROM "users" \
                JOIN "posts" ON "users"."id" = "posts"."author" \
                LEFT JOIN "users" AS "users_2" ON "users_2"."age" = "users"."age" AND "users_2"."id" <> "users"."id" \
                WHERE "users"."age" > 10 GROUP BY "posts"."id", "users_2"."id" \
                HAVING count("users"."id") > 0 AND count("posts"."id") > 0 AND count("users_2"."id") < 9 \
                ORDER BY "posts"."id" ASC LIMIT 2 OFFSET 1
                """
        )
        #expect(try connection.all(query).map { "\($0) \($1) \($2 ?? "-")" } == ["Ada Two Cy", "Bo Three -"])
        let records: [(User, Post, User?)] = try connection.all(tables.order { _, post, _ in post.id.ascending })
        #expect(
            records.map { "\($0.name) \($1.title) \($2?.name ?? "-")" } == ["Ada One Cy", "Ada Two Cy", "Bo Three -"])
    }

    /// A function over any number of tables.
    @Test func clausesAreAddedToAnyQuery() throws {
        func firstTwo<Q: ClauseQuery>(_ query: Q) -> Q { query.distinct().limit(2) }
        #expect(try connection.all(firstTwo(User.order { $0.id.ascending })).map(\.name) == ["Ada", "Bo"])
        let pairs = try connection.all(firstTwo(User.join(Post.self) { $0.id == $1.author }).order { $1.id.ascending })
        #expect(pairs.map(\.1.title) == ["One", "Two"])
    }
}
