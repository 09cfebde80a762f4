import Foundation
import Squall
import SquallTestSupport
import Testing

/// Upserts whose target is a partial index, or one of expressions.
struct UpsertIndexTests {
    private enum Kind: String, Binding { case person = "it's", robot }

    private struct User: TableRecord, Equatable {
        var id: Int64?
        var email: String
        var name: String
        var deleted: Date? = nil
        var kind = Kind.person

        static let table = Table(
            "users", User.init,
            .index("users_email", on: "email", unique: true, where: "deleted IS NULL"),
            .index("users_name", on: "kind", .expression("lower(name)"), unique: true, where: "kind = 'it''s'")
        ) {
            Column("id", \User.id, .primaryKey)
            Column("email", \User.email)
            Column("name", \User.name)
            Column("deleted", \User.deleted)
            Column("kind", \User.kind)
        }
    }

    private static let day = Date(timeIntervalSince1970: 0)

    let connection: Connection
    private let log = Log()

    init() throws {
        connection = try Connection()
        try connection.create(User.table)
        try connection.insert(contentsOf: [
            User(id: 1, email: "a", name: "Old", deleted: Self.day), User(id: 2, email: "a", name: "Ada"),
        ])
        connection.traceStatements { [log] in log.add($0) }
    }

    /// The clause of the insert that was run.
    private func conflict() -> String {
        let insert = log.take().last { $0.hasPrefix("INSERT") } ?? ""
        return insert.firstRange(of: "ON CONFLICT").map { String(insert[$0.lowerBound...]) } ?? ""
    }

    private func names() throws -> [String] { try connection.all(User.order { $0.id }.select { $0.name }) }

    @Test func aPartialIndexIsTheTarget() throws {
        try connection.upsert(
            User(id: nil, email: "a", name: "New"), onConflict: \.email, indexWhere: { $0.deleted == nil })
        #expect(
            conflict() == """
                ON CONFLICT("email") WHERE "users"."deleted" IS NULL DO UPDATE SET "name" = excluded."name", \
                "deleted" = excluded."deleted", "kind" = excluded."kind"
                """)
        #expect(try names() == ["Old", "New"])
        // A row that the index does not have is no conflict.
        try connection.upsert(
            User(id: nil, email: "a", name: "Third", deleted: Self.day), onConflict: \.email,
            indexWhere: { $0.deleted == nil })
        #expect(try names() == ["Old", "New", "Third"])
        try connection.table(User.table).upsert(
            User(id: nil, email: "b", name: "Bea"), onConflict: \.email, indexWhere: { $0.deleted == nil })
        #expect(try names() == ["Old", "New", "Third", "Bea"])
    }

    @Test func besideAssignmentsAndConditions() throws {
        let user = User(id: nil, email: "a", name: "Eve")
        let isUpdated = try connection.upsert(user, onConflict: \.email, indexWhere: { $0.deleted == nil }) {
            $0.name.set(to: $0.name.appending(" & ").appending($0.excluded.name))
        } where: {
            $0.name != "Eve"
        }
        #expect(
            conflict() == """
                ON CONFLICT("email") WHERE "users"."deleted" IS NULL DO UPDATE SET \
                "name" = "users"."name" || ' & ' || "excluded"."name" WHERE "users"."name" <> 'Eve'
                """)
        #expect(isUpdated)
        #expect(try names() == ["Old", "Ada & Eve"])
        let id = try connection.upsert(user, onConflict: \.email, indexWhere: { $0.deleted == nil }) {
            $0.name.set(to: "x")
        } returning: {
            $0.id
        }
        #expect(id == 2)
        #expect(conflict().hasSuffix(#"DO UPDATE SET "name" = 'x' RETURNING "users"."id""#))
        let users = connection.table(User.table)
        #expect(
            try users.upsert(user, onConflict: \.email, indexWhere: { $0.deleted == nil }) {
                $0.name.set(to: "y")
            })
        let name = try users.upsert(
            user, onConflict: \.email, indexWhere: { $0.deleted == nil }, set: { $0.name.set(to: "z") },
            where: { $0.name == "y" }, returning: { $0.name })
        #expect(name == "z")
        #expect(try names() == ["Old", "z"])
    }

    /// SQLite compares the condition with that of the index, which has literals.
    @Test func valuesAreLiterals() throws {
        try connection.upsert(
            User(id: nil, email: "c", name: "ADA"), onConflict: \.kind, onExpression: "lower(name)",
            indexWhere: { $0.kind == .person }
        )
        #expect(
            conflict().hasPrefix(
                #"ON CONFLICT("kind", lower(name)) WHERE "users"."kind" = 'it''s' DO UPDATE SET "email" = excluded."email""#
            ))
        #expect(try connection.all(User.order { $0.id }.select { ($0.name, $0.email) }).map(\.1) == ["a", "c"])
        #expect(try names() == ["Old", "ADA"])
    }

    @Test func anExpressionIsTheTarget() throws {
        try connection.execute("DROP INDEX users_email; CREATE UNIQUE INDEX i ON users(lower(email)) WHERE id > 1")
        try connection.execute("DROP INDEX users_name; CREATE UNIQUE INDEX j ON users(lower(name) || '-' || email)")
        let wanted = "-"
        try connection.upsert(
            User(id: nil, email: "a", name: "ADA"), onExpression: "lower(name) || \(wanted) || email")
        #expect(
            conflict() == """
                ON CONFLICT(lower(name) || '-' || email) DO UPDATE SET "email" = excluded."email", \
                "name" = excluded."name", "deleted" = excluded."deleted", "kind" = excluded."kind"
                """)
        try connection.upsert(
            User(id: nil, email: "A", name: "Bo"), onExpression: "lower(email)", indexWhere: { $0.id > 1 }
        ) {
            $0.name.set(to: $0.excluded.name)
        }
        #expect(conflict().hasPrefix(#"ON CONFLICT(lower(email)) WHERE "users"."id" > 1 DO"#))
        #expect(try names() == ["Old", "Bo"])
    }

    @Test func otherTargetsAreErrors() throws {
        let user = User(id: nil, email: "a", name: "Eve")
        let other = "ON CONFLICT clause does not match any PRIMARY KEY or UNIQUE constraint"
        for error in [
            try sqliteError { try connection.upsert(user, onConflict: \.email) },
            try sqliteError { try connection.upsert(user, onConflict: \.email, indexWhere: { $0.deleted != nil }) },
            try sqliteError { try connection.upsert(user, onConflict: \.name, indexWhere: { $0.deleted == nil }) },
            try sqliteError { try connection.upsert(user, onExpression: "upper(name)") },
        ] {
            #expect(error.message == other)
        }
        for expression in ["lower(email)) DO NOTHING; --", "lower(email", "", "?", "lower(email); DELETE FROM users"]
            as [SQL]
        {
            #expect(throws: SchemaError.self) { try connection.upsert(user, onExpression: expression) }
        }
        #expect(try names() == ["Old", "Ada"])
    }

    /// The key is that of the row that is updated, so that a record needs none.
    @Test func aKeyIsRequiredOnlyWhereItIsTheTarget() throws {
        let user = User(id: nil, email: "a", name: "Eve")
        let error = try sqliteError { try connection.upsert(user, indexWhere: { $0.deleted == nil }) }
        #expect(error.problem(TableProblem.self) == .missingKey(column: "id"))
        try connection.upsert(user, onConflict: \.email, indexWhere: { $0.deleted == nil })
        #expect(try names() == ["Old", "Eve"])
    }
}
