import Foundation
import Squall
import SquallTestSupport
import Testing

/// The SQL of conditions, expressions and queries.
struct ConditionTests {
    /// Returns the SQL of a condition on users as it runs, with its values in place.
    private func condition(_ condition: (Columns<User>) -> Condition) -> String {
        let sql = User.where(condition).sql.debugDescription
        return sql.split(separator: " WHERE ", maxSplits: 1).last.map(String.init) ?? ""
    }

    @Test func comparisons() {
        #expect(condition { $0.age == 3 } == #""users"."age" = 3"#)
        #expect(condition { $0.age != 3 } == #""users"."age" <> 3"#)
        #expect(condition { $0.age < 3 } == #""users"."age" < 3"#)
        #expect(condition { $0.age <= 3 } == #""users"."age" <= 3"#)
        #expect(condition { $0.age > 3 } == #""users"."age" > 3"#)
        #expect(condition { $0.age >= 3 } == #""users"."age" >= 3"#)
        #expect(condition { $0.name != $0.email } == #""users"."name" <> "users"."email""#)
        #expect(condition { $0.age >= $0.age } == #""users"."age" >= "users"."age""#)
        #expect(condition { $0.name.storageClass == "text" } == #"typeof("users"."name") = 'text'"#)
        #expect(condition { $0.name == $0.email } == #""users"."name" = "users"."email""#)
        #expect(condition { $0.email == "x" } == #""users"."email" = 'x'"#)
        #expect(condition { $0.email == nil } == #""users"."email" IS NULL"#)
        #expect(condition { $0.email != nil } == #""users"."email" IS NOT NULL"#)
        let missing: String? = nil
        #expect(condition { $0.email == missing } == #""users"."email" IS NULL"#)
        #expect(condition { $0.email != missing } == #""users"."email" IS NOT NULL"#)
        let known: String? = "x"
        #expect(condition { $0.email == known } == #""users"."email" = 'x'"#)
        #expect(condition { $0.email != known } == #""users"."email" <> 'x'"#)
        #expect(condition { $0.age.between(1, and: 2) } == #""users"."age" BETWEEN 1 AND 2"#)
        #expect(condition { $0.age.in([1, 2]) } == #""users"."age" IN (1, 2)"#)
        #expect(condition { $0.age.in([]) } == #""users"."age" IN ()"#)
        #expect(
            condition { $0.id.in(Post.where { $0.score > 1 }.select { $0.author }) }
                == #""users"."id" IN (SELECT "posts"."author" FROM "posts" WHERE "posts"."score" > 1.0)"#
        )
    }

    @Test func emptiness() throws {
        struct File: TableRecord {
            let name: String, note: String?, data: Data, bytes: [UInt8]?
            static let table = Table("files", File.init) {
                Column("name", \File.name)
                Column("note", \File.note)
                Column("data", \File.data)
                Column("bytes", \File.bytes)
            }
        }
        let connection = try Connection()
        try connection.create(File.table)
        try connection.insert(contentsOf: [
            File(name: "", note: "", data: Data(), bytes: []), File(name: "\0", note: nil, data: Data([0]), bytes: nil),
            File(name: " ", note: " ", data: Data([0]), bytes: [0]),
        ])
        #expect(File.where { $0.name.isEmpty }.sql.text.hasSuffix(#" WHERE "files"."name" = ''"#))
        #expect(File.where { !$0.data.isEmpty }.sql.text.hasSuffix(#" WHERE NOT ("files"."data" = x'')"#))
        #expect(try connection.count(File.self) { $0.name.isEmpty } == 1)
        #expect(try connection.count(File.self) { !$0.name.isEmpty } == 2)
        #expect(try connection.count(File.self) { $0.note.isEmpty } == 1)
        #expect(try connection.count(File.self) { !$0.note.isEmpty } == 1)
        #expect(try connection.count(File.self) { $0.data.isEmpty } == 1)
        #expect(try connection.count(File.self) { $0.bytes.isEmpty } == 1)
        #expect(try connection.count(File.self) { $0.name.trimmed().isEmpty || $0.bytes == nil } == 3)
        #expect(try connection.count(File.leftJoin(File.self) { $0.name == $1.name }.where { $1.data.isEmpty }) == 1)
    }

    @Test func text() {
        #expect(condition { $0.name.like("A%") } == #""users"."name" LIKE 'A%'"#)
        #expect(condition { $0.email.like("A!%", escape: "!") } == #""users"."email" LIKE 'A!%' ESCAPE '!'"#)
        #expect(condition { $0.name.glob("A*") } == #""users"."name" GLOB 'A*'"#)
        #expect(condition { $0.name.lowercased() == "a" } == #"lower("users"."name") = 'a'"#)
        #expect(condition { $0.name.trimmed().uppercased() == "A" } == #"upper(trim("users"."name")) = 'A'"#)
        #expect(condition { $0.name.length > 2 } == #"length("users"."name") > 2"#)
        #expect(condition { $0.name.appending("x") == "ax" } == #"("users"."name" || 'x') = 'ax'"#)
        #expect(condition { $0.name.collate("NOCASE") == "a" } == #""users"."name" COLLATE "NOCASE" = 'a'"#)
        #expect(
            condition { $0.name.substring(from: 1, length: 2) == "a" }
                == #"substr("users"."name", 1, 2) = 'a'"#
        )
        #expect(condition { $0.name.trimmed("x") == "a" } == #"trim("users"."name", 'x') = 'a'"#)
        #expect(condition { $0.name.substring(from: -2) == "da" } == #"substr("users"."name", -2) = 'da'"#)
        #expect(
            condition { $0.name.replacing("a", with: "b") == "b" }
                == #"replace("users"."name", 'a', 'b') = 'b'"#)
        #expect(condition { $0.name.index(of: "a") == 1 } == #"instr("users"."name", 'a') = 1"#)
    }

    @Test func arithmetic() {
        #expect(condition { $0.age + 1 > 3 } == #"("users"."age" + 1) > 3"#)
        #expect(condition { ($0.age - 1) * 2 == $0.age } == #"(("users"."age" - 1) * 2) = "users"."age""#)
        #expect(
            condition { $0.age / 2 == $0.age + $0.age } == #"("users"."age" / 2) = ("users"."age" + "users"."age")"#)
        #expect(condition { $0.age.remainder(dividingBy: 2) == 0 } == #"("users"."age" % 2) = 0"#)
        #expect(condition { $0.age.absoluteValue < 3 } == #"abs("users"."age") < 3"#)
        #expect(condition { $0.email.default("none") == "none" } == #"ifnull("users"."email", 'none') = 'none'"#)
        #expect(condition { $0.age.cast(to: String.self) == "3" } == #"CAST("users"."age" AS TEXT) = '3'"#)
    }

    @Test func logic() {
        #expect(
            condition { $0.age > 1 && $0.age < 3 && $0.id == 1 }
                == #""users"."age" > 1 AND "users"."age" < 3 AND "users"."id" = 1"#)
        #expect(
            condition { $0.age > 1 && ($0.age < 3 || $0.id == 1) }
                == #""users"."age" > 1 AND ("users"."age" < 3 OR "users"."id" = 1)"#)
        #expect(condition { !($0.age > 1 || $0.id == 2) } == #"NOT ("users"."age" > 1 OR "users"."id" = 2)"#)
        #expect(condition { $0.age > 1 && "a OR b" } == #""users"."age" > 1 AND (a OR b)"#)
    }

    @Test func aLongChainHasItsTermsInOrder() throws {
        let count = 20_000
        let chain = (2...count).reduce("(a = 1)" as Condition) { $0 || "a = \(raw: "\($1)")" }
        let terms = chain.sql.text.split(separator: " OR ").map { $0.filter(\.isNumber) }
        #expect(terms == (1...count).map { "\($0)" })
        let short = (2...256).reduce("a = 1" as Condition) { $0 && "a = \(raw: "\($1)")" }
        #expect(short.sql.text == (1...256).map { "(a = \($0))" }.joined(separator: " AND "))
        // SQLite refuses an expression that is deeper than 1,000.
        let connection = try Connection()
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(20000), (20001)")
        #expect(try connection.query("SELECT a FROM t WHERE \(chain)") == [20_000])
        let all = (0..<5000).reduce("a > 0" as Condition) { $0 && "a <> \(raw: "\($1)")" }
        #expect(try connection.query("SELECT count(*) FROM t WHERE \(all)") == 2)
        let left = (1...5).reduce("x" as Condition) { $0 && "\(raw: "\($1)")" }
        let right = (6...11).reduce("y" as Condition) { $0 && "\(raw: "\($1)")" }
        #expect(
            (left && right && !right).sql.text
                == "(x) AND (1) AND (2) AND (3) AND (4) AND (5) AND (y) AND (6) AND (7) AND (8) AND (9) AND (10) AND (11) "
                + "AND NOT ((y) AND (6) AND (7) AND (8) AND (9) AND (10) AND (11))")
        #expect((left || "z" || left).sql.text.hasPrefix("((x) AND (1)"))
    }

    @Test func rawSQLInAnyHole() {
        let input = "ada"
        #expect(condition { "\($0.name) COLLATE NOCASE = \(input)" } == #""users"."name" COLLATE NOCASE = 'ada'"#)
        #expect(condition { $0.age > Expr<Int>("abs(\(-3))") } == #""users"."age" > (abs(-3))"#)
        #expect(condition { _ in "TRUE" } == "TRUE")
        let query = User.order { "\($0.name) COLLATE NOCASE DESC" }
        #expect(query.sql.debugDescription.hasSuffix(#"ORDER BY "users"."name" COLLATE NOCASE DESC"#))
    }

    @Test func aConditionInOtherSQLIsInParentheses() throws {
        let query = User.order { "\($0.name == "Cy") + \($0.age < 10) DESC" }
        #expect(
            query.sql.debugDescription.hasSuffix(
                #"ORDER BY ("users"."name" = 'Cy') + ("users"."age" < 10) DESC"#))
        #expect(condition { "\(!($0.age > 17)) IS NULL" } == #"(NOT ("users"."age" > 17)) IS NULL"#)
        #expect(
            condition { "\($0.age > 1 || $0.id == 2) IS TRUE" } == #"("users"."age" > 1 OR "users"."id" = 2) IS TRUE"#)

        let connection = try Connection()
        try connection.create(User.table)
        for (name, age) in [("Ada", 36), ("Bo", 3), ("Cy", 50)] {
            try connection.insert(User(id: nil, name: name, email: nil, age: age))
        }
        #expect(try connection.all(query.select { $0.name }).last == "Ada")
        #expect(try connection.all(User.where { "\(!($0.age > 17)) IS NULL" }).isEmpty)
    }

    @Test func queries() {
        #expect(
            User.where { $0.age > 17 }.where { $0.name == "Ada" }
                .order {
                    $0.name.ascending
                    $0.age.descending.nullsLast
                }
                .limit(20, offset: 40).distinct().sql.debugDescription == """
                    SELECT DISTINCT "users"."id", "users"."name", "users"."email", "users"."age" FROM "users" \
                    WHERE "users"."age" > 17 AND "users"."name" = 'Ada' \
                    ORDER BY "users"."name" ASC, "users"."age" DESC NULLS LAST LIMIT 20 OFFSET 40
                    """
        )
        let groups = Post.query.group { $0.author }.having { _ in Expr.rowCount > 1 }
            .select { ($0.author, Expr.rowCount, $0.score.sum(), $0.title.groupConcat(separator: "; ")) }
        #expect(
            groups.sql.debugDescription == """
                SELECT "posts"."author", count(*), sum("posts"."score"), group_concat("posts"."title", '; ') FROM "posts" \
                GROUP BY "posts"."author" HAVING count(*) > 1
                """
        )
        #expect(
            User.join(Post.self) { $0.id == $1.author }.leftJoin(points) { _, post, point in
                point.x == 1 && post.score > 2
            }
            .select { ($0.name, $1.title, $2.label) }.sql.debugDescription == """
                SELECT "users"."name", "posts"."title", "points"."label" FROM "users" \
                JOIN "posts" ON "users"."id" = "posts"."author" LEFT JOIN "points" \
                ON "points"."x" = 1 AND "posts"."score" > 2.0
                """
        )
        #expect(
            User.join(User.self) { $0.age == $1.age }.select { $1.name }.sql.debugDescription == """
                SELECT "users_2"."name" FROM "users" JOIN "users" AS "users_2" ON "users"."age" = "users_2"."age"
                """
        )
        #expect(
            points.select { $0.x.count(distinct: true) }.sql.debugDescription
                == #"SELECT count(DISTINCT "points"."x") FROM "points""#
        )
    }

    @Test func theOrderOfNulls() throws {
        func order(_ term: (Columns<User>) -> Ordering) -> Substring {
            let sql = User.order { term($0) }.sql.debugDescription
            return sql.firstRange(of: "ORDER BY ").map { sql[$0.upperBound...] } ?? ""
        }
        #expect(order { $0.email.ascending.nullsLast } == #""users"."email" ASC NULLS LAST"#)
        #expect(order { $0.email.descending.nullsFirst } == #""users"."email" DESC NULLS FIRST"#)
        let written: Ordering = "length(email) DESC"
        #expect(order { _ in written.nullsLast } == "length(email) DESC NULLS LAST")
    }

    private static let tooFar = Date(timeIntervalSince1970: 1e300)

    @Test func aValueThatCannotBeStoredMakesTheQueryThrow() throws {
        let connection = try Sale.database()
        let query = Sale.where { $0.sold == Self.tooFar }
        #expect(query.sql.text.hasSuffix(#"WHERE "sales"."sold" = ?"#))
        #expect(
            try errorKind { _ = try connection.all(query) } == .unstorable(type: "Date", reason: .yearOutOfRange))
    }

    @Test func aValueThatTheFormRefusesMakesTheStatementThrow() throws {
        let connection = try Sale.database()
        let refused = SQLiteError.Kind.unstorable(type: "UnixMilliseconds", reason: .tooFarForMilliseconds)
        let list = Sale.where { $0.paid.in([Date(timeIntervalSince1970: 0), Self.tooFar]) }
        #expect(try errorKind { _ = try connection.all(list) } == refused)
        #expect(
            try errorKind {
                try connection.update(Sale.self) {
                    $0.paid.set(to: Self.tooFar)
                } where: {
                    $0.id == 1
                }
            } == refused)
        #expect(try connection.count(Sale.self) { $0.paid.in([Date(timeIntervalSince1970: 0)]) } == 4)
    }

    @Test func theOrderOfAColumnWithAForm() throws {
        func order(_ query: Query<Columns<Sale>>) -> Substring {
            let text = query.sql.text
            return text.firstRange(of: "ORDER BY ").map { text[$0.upperBound...] } ?? ""
        }
        #expect(order(Sale.order { $0.choices.descending }) == #""sales"."choices" DESC"#)
        #expect(order(Sale.order { ($0.tags, $0.id.descending) }) == #""sales"."tags" ASC, "sales"."id" DESC"#)
    }
}
