import Squall
import Testing

/// The SQL of conditions, expressions and queries.
struct ConditionTests {
    private func condition(_ condition: (Columns<User>) -> Condition) -> SQL {
        let sql = User.where(condition).sql.text
        let parameters = User.where(condition).sql.parameters
        let text = sql.split(separator: " WHERE ", maxSplits: 1).last.map(String.init) ?? ""
        var result = ""
        var rest = parameters[...]
        for character in text {
            if character == "?", let value = rest.popFirst() { result += "\(value)" } else { result.append(character) }
        }
        return SQL(raw: result.replacing("\"users\".", with: ""))
    }

    @Test func comparisons() {
        #expect(condition { $0.age == 3 } == #""age" = integer(3)"#)
        #expect(condition { $0.age != 3 } == #""age" <> integer(3)"#)
        #expect(condition { $0.age < 3 } == #""age" < integer(3)"#)
        #expect(condition { $0.age <= 3 } == #""age" <= integer(3)"#)
        #expect(condition { $0.age > 3 } == #""age" > integer(3)"#)
        #expect(condition { $0.age >= 3 } == #""age" >= integer(3)"#)
        #expect(condition { $0.name == $0.email } == #""name" = "email""#)
        #expect(condition { $0.email == "x" } == #""email" = text("x")"#)
        #expect(condition { $0.email == nil } == #""email" IS NULL"#)
        #expect(condition { $0.email != nil } == #""email" IS NOT NULL"#)
        let missing: String? = nil
        #expect(condition { $0.email == missing } == #""email" IS NULL"#)
        #expect(condition { $0.age.between(1, and: 2) } == #""age" BETWEEN integer(1) AND integer(2)"#)
        #expect(condition { $0.age.in([1, 2]) } == #""age" IN (integer(1), integer(2))"#)
        #expect(condition { $0.age.in([]) } == #""age" IN ()"#)
        #expect(
            condition { $0.id.in(Post.where { $0.score > 1 }.select { $0.author }) }
                == #""id" IN (SELECT "posts"."author" FROM "posts" WHERE "posts"."score" > real(1.0))"#
        )
    }

    @Test func text() {
        #expect(condition { $0.name.like("A%") } == #""name" LIKE text("A%")"#)
        #expect(condition { $0.email.like("A!%", escape: "!") } == #""email" LIKE text("A!%") ESCAPE text("!")"#)
        #expect(condition { $0.name.glob("A*") } == #""name" GLOB text("A*")"#)
        #expect(condition { $0.name.lowercased() == "a" } == #"lower("name") = text("a")"#)
        #expect(condition { $0.name.trimmed().uppercased() == "A" } == #"upper(trim("name")) = text("A")"#)
        #expect(condition { $0.name.length > 2 } == #"length("name") > integer(2)"#)
        #expect(condition { $0.name.appending("x") == "ax" } == #"("name" || text("x")) = text("ax")"#)
        #expect(condition { $0.name.collate("NOCASE") == "a" } == #""name" COLLATE "NOCASE" = text("a")"#)
        #expect(
            condition { $0.name.substring(from: 1, length: 2) == "a" }
                == #"substr("name", integer(1), integer(2)) = text("a")"#
        )
        #expect(
            condition { $0.name.replacing("a", with: "b") == "b" }
                == #"replace("name", text("a"), text("b")) = text("b")"#)
        #expect(condition { $0.name.index(of: "a") == 1 } == #"instr("name", text("a")) = integer(1)"#)
    }

    @Test func arithmetic() {
        #expect(condition { $0.age + 1 > 3 } == #"("age" + integer(1)) > integer(3)"#)
        #expect(condition { ($0.age - 1) * 2 == $0.age } == #"(("age" - integer(1)) * integer(2)) = "age""#)
        #expect(condition { $0.age / 2 == $0.age + $0.age } == #"("age" / integer(2)) = ("age" + "age")"#)
        #expect(condition { $0.age.remainder(dividingBy: 2) == 0 } == #"("age" % integer(2)) = integer(0)"#)
        #expect(condition { $0.age.absoluteValue < 3 } == #"abs("age") < integer(3)"#)
        #expect(condition { $0.email.default("none") == "none" } == #"ifnull("email", text("none")) = text("none")"#)
        #expect(condition { $0.age.cast(to: String.self) == "3" } == #"CAST("age" AS TEXT) = text("3")"#)
    }

    @Test func logic() {
        #expect(
            condition { $0.age > 1 && $0.age < 3 && $0.id == 1 }
                == #""age" > integer(1) AND "age" < integer(3) AND "id" = integer(1)"#)
        #expect(
            condition { $0.age > 1 && ($0.age < 3 || $0.id == 1) }
                == #""age" > integer(1) AND ("age" < integer(3) OR "id" = integer(1))"#)
        #expect(condition { !($0.age > 1 || $0.id == 2) } == #"NOT ("age" > integer(1) OR "id" = integer(2))"#)
        #expect(condition { $0.age > 1 && "a OR b" } == #""age" > integer(1) AND (a OR b)"#)
    }

    @Test func rawSQLInAnyHole() {
        let input = "ada"
        #expect(condition { "\($0.name) COLLATE NOCASE = \(input)" } == #""name" COLLATE NOCASE = text("ada")"#)
        #expect(condition { $0.age > Expr<Int>("abs(\(-3))") } == #""age" > (abs(integer(-3)))"#)
        #expect(condition { _ in "TRUE" } == "TRUE")
        let query = User.order { "\($0.name) COLLATE NOCASE DESC" }
        #expect(query.sql.text.hasSuffix(#"ORDER BY "users"."name" COLLATE NOCASE DESC"#))
    }

    @Test func queries() {
        #expect(
            User.where { $0.age > 17 }.where { $0.name == "Ada" }
                .order {
                    $0.name.ascending
                    $0.age.descending.nullsLast
                }
                .limit(20, offset: 40).distinct().sql.text == """
                    SELECT DISTINCT "users"."id", "users"."name", "users"."email", "users"."age" FROM "users" \
                    WHERE "users"."age" > ? AND "users"."name" = ? \
                    ORDER BY "users"."name" ASC, "users"."age" DESC NULLS LAST LIMIT ? OFFSET ?
                    """
        )
        let groups = Post.query.group { $0.author }.having { _ in Expr.rowCount > 1 }
            .select { ($0.author, Expr.rowCount, $0.score.sum(), $0.title.groupConcat(separator: "; ")) }
        #expect(
            groups.sql.text == """
                SELECT "posts"."author", count(*), sum("posts"."score"), group_concat("posts"."title", ?) FROM "posts" \
                GROUP BY "posts"."author" HAVING count(*) > ?
                """
        )
        #expect(
            User.join(Post.self) { $0.id == $1.author }.leftJoin(points) { _, post, point in
                point.x == 1 && post.score > 2
            }
            .select { ($0.name, $1.title, $2.label) }.sql.text == """
                SELECT "users"."name", "posts"."title", "points"."label" FROM "users" \
                JOIN "posts" ON "users"."id" = "posts"."author" LEFT JOIN "points" \
                ON "points"."x" = ? AND "posts"."score" > ?
                """
        )
        #expect(
            User.join(User.self) { $0.age == $1.age }.select { $1.name }.sql.text == """
                SELECT "users_2"."name" FROM "users" JOIN "users" AS "users_2" ON "users"."age" = "users_2"."age"
                """
        )
        #expect(
            points.select { $0.x.count(distinct: true) }.sql.text
                == #"SELECT count(DISTINCT "points"."x") FROM "points""#
        )
    }
}
