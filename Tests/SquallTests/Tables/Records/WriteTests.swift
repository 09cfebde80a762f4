import Foundation
import Squall
import SquallTestSupport
import Testing

struct WriteTests {
    let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.create(User.table)
        try connection.create(points)
    }

    private func user(_ name: String, _ age: Int = 20, id: Int64? = nil) -> User {
        User(id: id, name: name, email: nil, age: age)
    }

    @Test func aNilKeyIsAssignedAndAnotherOneKept() throws {
        #expect(try connection.insert(user("a")) == 1)
        #expect(try connection.insert(user("b", id: 7)) == 7)
        #expect(try connection.insert(user("c")) == 8)
        let error = try sqliteError { try connection.insert(user("d", id: 7)) }
        #expect(error.extendedResultCode == .constraintPrimaryKey)
        #expect(error.sql == #"INSERT INTO "users"("id", "name", "email", "age") VALUES(?, ?, ?, ?)"#)
    }

    @Test func aTypedPreparedInsert() throws {
        let insert = try connection.prepareInsert(into: User.table)
        #expect(insert.sql == #"INSERT INTO "users"("id", "name", "email", "age") VALUES(?, ?, ?, ?)"#)
        #expect(try insert.run(nil, "Ada", "ada@example.org", 36) == 1)
        #expect(throws: SQLiteError.self) { try insert.run(1, "Bo", nil, 3) }
        #expect(try insert.run(nil, "Cy", nil, 3) == 2)
        #expect(try connection.all(User.self).map(\.name) == ["Ada", "Cy"])
    }

    @Test func anInsertionOfNoRecordIsAnError() throws {
        let core = User.table.core
        #expect(throws: SQLiteError.self) { try core.insertion(of: [User]()) }
        let sql = try core.insertion(of: [user("a", id: 1), user("b", id: 2)])
        #expect(sql.text.hasSuffix("VALUES(?, ?, ?, ?), (?, ?, ?, ?)"))
        try connection.run(sql)
        #expect(try connection.all(User.self).map(\.name) == ["a", "b"])
    }

    @Test func replaceTakesThePlaceOfOthers() throws {
        try connection.insert(User(id: 1, name: "a", email: "x", age: 1))
        try connection.insert(User(id: 2, name: "b", email: "y", age: 2))
        #expect(try connection.replace(User(id: 1, name: "c", email: "y", age: 3)) == 1)
        #expect(try connection.all(User.self) == [User(id: 1, name: "c", email: "y", age: 3)])
    }

    @Test func upsertKeepsTheKey() throws {
        try connection.insert(User(id: 5, name: "a", email: "x", age: 1))
        try connection.upsert(User(id: nil, name: "b", email: "x", age: 2), onConflict: \.email)
        #expect(try connection.all(User.self) == [User(id: 5, name: "b", email: "x", age: 2)])
        try connection.upsert(User(id: 5, name: "c", email: "z", age: 3))
        #expect(try connection.find(User.self, 5) == User(id: 5, name: "c", email: "z", age: 3))
        try connection.table(points).upsert(Point(x: 1, y: 1, label: "a"))
        try connection.table(points).upsert(Point(x: 1, y: 1, label: "b"))
        #expect(try connection.table(points).all() == [Point(x: 1, y: 1, label: "b")])
    }

    @Test func aRecordWithoutAKeyIsRefusedWhereTheKeyIsNeeded() throws {
        let record = user("a")
        try connection.insert(record)
        let verbs: [() throws -> Void] = [
            { try connection.update(record) }, { try connection.update(record, \.age) },
            { try connection.delete(record) },
            { try connection.upsert(record) }, { try connection.upsert(record, onConflict: \.id) },
        ]
        for verb in verbs {
            #expect(
                try sqliteError { try verb() }.message
                    == #"the record has no value for "id", the primary key of the table "users""#
            )
        }
        #expect(try connection.all(User.self) == [user("a", id: 1)])
    }

    @Test func update() throws {
        try connection.insert(user("a"))
        #expect(try connection.update(user("b", 30, id: 1)))
        #expect(try connection.update(user("c", 40, id: 1), \.age))
        #expect(try connection.find(User.self, 1) == user("b", 40, id: 1))
        #expect(try !connection.update(user("d", id: 99)))
        #expect(try !connection.delete(user("d", id: 99)))
        try connection.table(points).insert(Point(x: 1, y: 2, label: "a"))
        #expect(try connection.table(points).update(Point(x: 1, y: 2, label: "b")))
        #expect(try connection.table(points).find(1, 2)?.label == "b")
        #expect(try connection.table(points).delete(Point(x: 1, y: 2)))
    }

    @Test func updateAndDeleteWithACondition() throws {
        try connection.insert(contentsOf: [user("a", 1), user("b", 2), user("c", 3)])
        let count = try connection.update(User.self) {
            $0.age.set(to: $0.age + 10)
            $0.email.set(to: $0.name.appending("@x.org"))
            $0.name.set(sql: "upper(name)")
        } where: {
            $0.age > 1
        }
        #expect(count == 2)
        #expect(try connection.all(User.self).map(\.age) == [1, 12, 13])
        #expect(try connection.all(User.self).map(\.email) == [nil, "b@x.org", "c@x.org"])
        try connection.update(User.self) {
            $0.email.set(to: nil)
        } where: {
            $0.name == "B"
        }
        #expect(try connection.find(User.self, 2)?.email == nil)
        #expect(try connection.delete(User.self) { $0.age > 12 } == 1)
        #expect(try connection.delete(User.self) { _ in "TRUE" } == 2)
        #expect(throws: SQLiteError.self) {
            try connection.update(User.self) {
                ($0.age + 1).set(to: 3)
            } where: { _ in
                "TRUE"
            }
        }
    }

    @Test func returning() throws {
        #expect(try connection.insertReturning(user("a")) == user("a", id: 1))
        let updated = try connection.updateReturning(User.self) {
            $0.age.set(to: 5)
        } where: {
            $0.id == 1
        }
        #expect(updated == [user("a", 5, id: 1)])
        #expect(try connection.deleteReturning(User.self) { $0.age == 5 } == updated)
        #expect(try connection.count(User.self) == 0)
    }

    @Test func aGeneratedColumnIsReadAndNotWritten() throws {
        struct Line: TableRecord, Equatable {
            let id: Int64?
            let price: Int
            let amount: Int
            let total: Int?
            static let table = Table("lines", Line.init) {
                Column("id", \Line.id, .primaryKey)
                Column("price", \Line.price)
                Column("amount", \Line.amount)
                Column("total", \Line.total, .generated("price * amount"))
            }
        }
        try connection.create(Line.table)
        let line = Line(id: 1, price: 3, amount: 4, total: nil)
        #expect(try connection.insertReturning(line).total == 12)
        try connection.prepareInsert(into: Line.table).run(nil, 5, 6, nil)
        try connection.insert(contentsOf: Array(repeating: Line(id: nil, price: 1, amount: 1, total: nil), count: 100))
        try connection.update(Line(id: 1, price: 2, amount: 2, total: nil))
        #expect(try connection.find(Line.self, 1)?.total == 4)
        #expect(try connection.find(Line.self, 2)?.total == 30)
        #expect(try connection.sum(\Line.total) == 134)
    }

    @Test func manyRecords() throws {
        try connection.insert(contentsOf: [User]())
        try connection.insert(contentsOf: (1...1000).map { user("\($0)", $0) })
        try connection.insert(contentsOf: (1...70).lazy.map { user("lazy", $0) })
        #expect(try connection.count(User.self) == 1070)
        #expect(try connection.sum(\User.age) == 500_500 + 2485)
        #expect(try connection.all(User.self).prefix(1000).map(\.age) == Array(1...1000))
        connection.limits[.variables] = 10
        try connection.insert(contentsOf: (1...5).map { user("few", $0) })
        #expect(try connection.count(User.self) { $0.name == "few" } == 5)
        #expect(!connection.isInTransaction)
    }

    @Test func aBadRecordUndoesAllAndIsNamed() throws {
        let users = (0..<300).map { User(id: nil, name: "\($0)", email: $0 == 200 ? "7" : "\($0)", age: 1) }
        let error = try #require(throws: InsertionError.self) { try connection.insert(contentsOf: users) }
        #expect(error.index == 200)
        #expect((error.reason as? SQLiteError)?.extendedResultCode == .constraintUnique)
        #expect(ResultCode.constraintUnique ~= error && ResultCode.constraint ~= error && !(ResultCode.busy ~= error))
        #expect(try connection.count(User.self) == 0)
        try connection.transaction {
            try connection.insert(user("before"))
            let inner = try #require(throws: InsertionError.self) { try connection.insert(contentsOf: users) }
            #expect(inner.index == 200)
        }
        #expect(try connection.all(User.self).map(\.name) == ["before"])
    }

    @Test(arguments: [0, 30, 63, 64, 700, 1023]) func theIndexIsRightWhereAStatementKeepsWhatItHasDone(_ bad: Int)
        throws
    {
        struct Name: TableRecord {
            let name: String
            static let table = Table("names", Name.init) { Column("name", \Name.name, .unique(onConflict: .fail)) }
        }
        try connection.create(Name.table)
        try connection.insert(Name(name: "taken"))
        let names = (0..<1100).map { Name(name: $0 == bad ? "taken" : "\($0)") }
        for verb in [
            { try connection.insert(contentsOf: names) }, { try connection.insert(contentsOf: names.lazy.map(\.self)) },
        ] {
            let error = try #require(throws: InsertionError.self) { try verb() }
            #expect(error.index == bad)
            #expect((error.reason as? SQLiteError)?.extendedResultCode == .constraintUnique)
        }
        #expect(try connection.count(Name.self) == 1)
    }

    @Test func aBadOneAmongAMillion() throws {
        struct Pair: TableRecord {
            let a: Double
            static let table = Table("pairs", Pair.init) { Column("a", \Pair.a) }
        }
        try connection.create(Pair.table)
        let one = try connection.prepareInsert(into: Pair.table)
        try one.run(1.5)
        try connection.delete(Pair.self) { $0.a == 1.5 }
        let values = (0..<1_000_000).lazy.map { Pair(a: $0 == 500_000 ? .nan : Double($0)) }
        let error = try #require(throws: InsertionError.self) { try connection.insert(contentsOf: values) }
        #expect(error.index == 500_000)
        #expect(try connection.count(Pair.self) == 0)
    }

    @Test(arguments: [2, 12, 13]) func tablesOfManyColumns(_ count: Int) throws {
        struct Thirteen: TableRecord, Equatable {
            let a: Int, b: String, c: Int?, d: String?, e: Double, f: Bool, g: Int64, h: Data, i: Double?, j: UInt8
            let k: Date, l: Int64?, m: String
            static let table = Table("thirteen", Thirteen.init) {
                Column("a", \Thirteen.a)
                Column("b", \Thirteen.b)
                Column("c", \Thirteen.c)
                Column("d", \Thirteen.d)
                Column("e", \Thirteen.e)
                Column("f", \Thirteen.f)
                Column("g", \Thirteen.g)
                Column("h", \Thirteen.h)
                Column("i", \Thirteen.i)
                Column("j", \Thirteen.j)
                Column("k", \Thirteen.k)
                Column("l", \Thirteen.l)
                Column("m", \Thirteen.m)
            }
        }
        struct Twelve: TableRecord, Equatable {
            let a: Int, b: String, c: Int?, d: String?, e: Double, f: Bool, g: Int64, h: Data, i: Double?, j: UInt8
            let k: Date, l: Int64?
            static let table = Table("twelve", Twelve.init) {
                Column("a", \Twelve.a)
                Column("b", \Twelve.b)
                Column("c", \Twelve.c)
                Column("d", \Twelve.d)
                Column("e", \Twelve.e)
                Column("f", \Twelve.f)
                Column("g", \Twelve.g)
                Column("h", \Twelve.h)
                Column("i", \Twelve.i)
                Column("j", \Twelve.j)
                Column("k", \Twelve.k)
                Column("l", \Twelve.l)
            }
        }
        let date = Date(timeIntervalSince1970: 1000)
        switch count {
        case 13:
            let record = Thirteen(
                a: 1, b: "b", c: nil, d: "d", e: 1.5, f: true, g: -1, h: Data([1]), i: nil, j: 255, k: date, l: 12,
                m: "m"
            )
            try connection.create(Thirteen.table)
            try connection.insert(record)
            try connection.prepareInsert(into: Thirteen.table)
                .run(1, "b", nil, "d", 1.5, true, -1, Data([1]), nil, 255, date, 12, "m")
            #expect(try connection.all(Thirteen.self) == [record, record])
        case 12:
            let record = Twelve(
                a: 1, b: "b", c: 3, d: nil, e: 1.5, f: true, g: -1, h: Data(), i: 2, j: 0, k: date, l: nil
            )
            try connection.create(Twelve.table)
            try connection.insert(record)
            #expect(try connection.all(Twelve.self) == [record])
        default:
            struct Two: TableRecord, Equatable {
                let a: Float, b: Decimal?
                static let table = Table("two", Two.init) {
                    Column("a", \Two.a)
                    Column("b", \Two.b)
                }
            }
            try connection.create(Two.table)
            try connection.prepareInsert(into: Two.table).run(1.5, 2)
            #expect(try connection.all(Two.self) == [Two(a: 1.5, b: 2)])
        }
    }

    @Test func createTakesTheIndexesAndAllOrNothing() throws {
        #expect(throws: SQLiteError.self) {
            try connection.create(Post.table); try connection.create(Post.table)
        }
        try connection.create(Post.table, ifNotExists: true)
        #expect(try connection.tableInfo("posts")?.indexes.map(\.name) == ["posts_author"])
    }

    /// SQLite counts the changes of a statement, and not those of triggers.
    @Test func aViewWithTriggersIsWrittenAndNotCounted() throws {
        let stored = try Connection()
        try stored.execute(
            """
            CREATE TABLE base(id INTEGER PRIMARY KEY, name, email, age);
            CREATE VIEW users AS SELECT * FROM base; INSERT INTO base VALUES(1, 'a', NULL, 1), (2, 'b', NULL, 2);
            CREATE TRIGGER u INSTEAD OF UPDATE ON users BEGIN UPDATE base SET name = new.name WHERE id = old.id; END;
            CREATE TRIGGER d INSTEAD OF DELETE ON users BEGIN DELETE FROM base WHERE id = old.id; END;
            """)
        #expect(try !stored.update(user("c", id: 1)))
        #expect(try !stored.delete(user("b", id: 2)))
        #expect(try stored.query("SELECT id || name FROM base", as: String.self) == "1c")
        #expect(try stored.query("SELECT count(*) FROM base") == 1)
    }

    @Test func theReturnedRowIsThatBeforeAfterTriggers() throws {
        try connection.execute(
            "CREATE TRIGGER t AFTER INSERT ON users BEGIN UPDATE users SET age = 99 WHERE id = new.id; END")
        #expect(try connection.insertReturning(user("a", 1)).age == 1)
        #expect(try connection.all(User.self).map(\.age) == [99])
    }
}
