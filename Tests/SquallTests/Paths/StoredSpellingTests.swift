import Foundation
import Squall
import SquallTestSupport
import Testing

/// Values that a program has stored in another spelling than Squall's.
struct StoredSpellingTests {
    private struct Owner: TableRecord, Equatable {
        let id: UUID
        let name: String
        static let table = Table("owners", Owner.init) {
            Column("id", \Owner.id, as: .text, .primaryKey)
            Column("name", \Owner.name)
        }
        static let items = Item.owner.inverse()
        static let tagged = Relation(\Owner.id, through: \Tagging.owner, \Tagging.item, to: \Item.id)
    }

    private struct Item: TableRecord, Equatable {
        let id: Int64
        let ownerID: UUID?
        static let table = Table("items", Item.init) {
            Column("id", \Item.id, .primaryKey)
            Column("owner", \Item.ownerID, as: .text)
        }
        static let owner = Relation(\Item.ownerID, to: \Owner.id)
        static let taggers = Relation(\Item.id, through: \Tagging.item, \Tagging.owner, to: \Owner.id)
    }

    private struct Tagging: TableRecord, Equatable {
        let owner: UUID
        let item: Int64
        static let table = Table("taggings", Tagging.init) {
            Column("owner", \Tagging.owner, as: .text)
            Column("item", \Tagging.item)
        }
    }

    private func spelling(_ id: UUID, _ number: Int) -> String {
        [id.uuidString, id.uuidString.lowercased(), "{\(id.uuidString)}", id.uuidString.replacing("-", with: "")][
            number]
    }

    /// The records of a relation are those of a join, however the keys are spelled.
    @Test func relationsCompareWhatIsStored() throws {
        let connection = try Connection()
        try connection.create(Owner.table)
        try connection.create(Item.table)
        try connection.create(Tagging.table)
        var random = TestSeed.of().generator()
        let ids = (0..<6).map { _ in UUID() }
        for (number, id) in ids.enumerated() {
            let id = spelling(id, Int.random(in: 0...1, using: &random))
            try connection.run("INSERT INTO owners VALUES(\(id), \("\(number)"))")
        }
        for number in 1...40 {
            let id = ids.randomElement(using: &random).map { spelling($0, Int.random(in: 0...1, using: &random)) }
            try connection.run("INSERT INTO items VALUES(\(number), \(number % 9 == 0 ? nil : id))")
            try connection.run("INSERT INTO taggings VALUES(\(id), \(number))")
        }
        let joined = try connection.all(Item.leftJoin(Owner.self) { $0.ownerID == $1.id }.order { item, _ in item.id })
        let including = try connection.all(Item.order { $0.id }, including: Item.owner)
        #expect(including.map(\.1) == joined.map(\.1))
        #expect(including.contains { $0.1 != nil } && including.contains { $0.1 == nil && $0.0.ownerID != nil })
        let page = try connection.page(Item.order { $0.id }, size: 100, including: Item.owner)
        #expect(page.items.map(\.1) == joined.map(\.1))
        for (number, row) in joined.enumerated() {
            let first = try connection.first(Item.where { $0.id == row.0.id }, including: Item.owner, Item.taggers)
            #expect(first?.1 == joined[number].1)
        }
        let pairs = try connection.all(Owner.join(Owner.items).order { owner, _ in owner.name })
        let owners = try connection.all(Owner.order { $0.name }, including: Owner.items, Owner.tagged)
        #expect(owners.flatMap { $0.1.map(\.id) }.sorted() == pairs.map(\.1.id).sorted())
        let tagged = try connection.all(Owner.join(Owner.tagged))
        #expect(owners.flatMap { $0.2.map(\.id) }.sorted() == tagged.map(\.1.id).sorted())
        // Below another relation.
        let nested = try connection.all(
            Owner.order { $0.name }, including: Owner.items.including(Item.owner, Item.taggers))
        for (owner, items) in nested {
            #expect(!items.contains { $0.1 != owner })
            for (item, _, taggers) in items {
                let found = try connection.all(Item.join(Item.taggers).where { item, _ in item.id == item.id })
                #expect(taggers == found.filter { $0.0 == item }.map(\.1))
            }
        }
    }

    private struct Settings: Codable, Hashable, Sendable {
        var size: Double?
        var name: String?
        var tags: [Int?] = []
    }

    private struct Profile: TableRecord, Equatable {
        let id: Int64?
        var settings: Settings
        var extra: Settings?
        static let table = Table("profiles", Profile.init) {
            Column("id", \Profile.id, .primaryKey)
            Column("settings", \Profile.settings, as: .json)
            Column("extra", \Profile.extra, as: .json)
        }
    }

    /// JSON is equal where it contains the same, whoever has written it.
    @Test func jsonIsFoundByWhatItContains() throws {
        let connection = try Connection()
        try connection.create(Profile.table)
        var random = TestSeed.of().generator()
        for number in 0..<60 {
            let size = [nil, 3, 2.5].randomElement(using: &random) ?? nil
            let name = [nil, "a", "é\"\u{1}"].randomElement(using: &random) ?? nil
            let tags = [[], [1], [1, nil], [nil, 1]].randomElement(using: &random) ?? []
            let settings = Settings(size: size, name: name, tags: tags)
            try connection.insert(Profile(id: nil, settings: Settings(), extra: number % 3 == 0 ? nil : settings))
            // Member by member, in any order, and as other programs write.
            try connection.update(Profile.self) {
                if let size { $0.settings["$.size", as: Double.self].set(to: size) }
                $0.settings["$.name", as: String.self].set(to: name)
            } where: {
                $0.id == Int64(number + 1)
            }
            try connection.run(
                """
                UPDATE profiles SET settings = replace(json_set(settings, '$.tags', json(\(JSONBinding(tags)))), ',', ' ,') \
                WHERE id = \(number + 1)
                """)
        }
        let all = try connection.all(Profile.self)
        for profile in all {
            func expect(_ condition: @escaping (Columns<Profile>) -> Condition, _ place: String) throws {
                let same = all.filter { $0.settings == profile.settings }
                #expect(try connection.all(Profile.self, where: condition) == same, "\(place), \(profile)")
            }
            try expect({ $0.settings == profile.settings }, "==")
            try expect({ !($0.settings != profile.settings) }, "!=")
            let others = try connection.all(Profile.self) { $0.extra == profile.extra }
            let same = all.filter { $0.extra == profile.extra }
            #expect(others == same)
        }
        #expect(try connection.count(Profile.where { $0.extra == nil }) == 20)
        try connection.run("UPDATE profiles SET extra = ' null' WHERE id = 1")
        try connection.run("UPDATE profiles SET extra = 'null' WHERE id = 2")
        let read = try connection.all(Profile.self)
        let missing = read.filter { $0.extra == nil }
        #expect(try connection.all(Profile.self) { $0.extra == nil } == missing && missing.count > 20)
        #expect(try connection.count(Profile.where { $0.extra != nil }) == 60 - missing.count)
    }

    @Test func jsonThatIsNoneOrHasNULIsComparedAsText() throws {
        let connection = try Connection()
        try connection.create(Profile.table)
        let settings = Settings(name: "a\0b")
        try connection.insert(Profile(id: 1, settings: settings, extra: Settings(name: "a\0c")))
        try connection.run("INSERT INTO profiles VALUES(2, 'no JSON', x'00')")
        #expect(try connection.all(Profile.where { $0.settings == settings }).count == 1)
        #expect(try connection.count(Profile.where { $0.extra == settings }) == 0)
        #expect(try connection.count(Profile.where { $0.settings != settings }) == 1)
    }

    // MARK: Defaults

    private struct Stamped: TableRecord, Equatable {
        let id: Int64?
        let at: Date
        static let table = Table("stamped", Stamped.init) {
            Column("id", \Stamped.id, .primaryKey)
            Column("at", \Stamped.at)
        }
    }

    /// A default in SQL is refused where the type would store the value otherwise, and no condition would find it.
    @Test(
        arguments: [
            "CURRENT_TIMESTAMP", "CURRENT_DATE", "datetime('now')", "date('now')", "'2026-11-21'", "'soon'",
            "unixepoch()",
        ] as [SQL]) func defaultsThatNoConditionFinds(_ sql: SQL) throws
    {
        let connection = try Connection()
        let table = Table("stamped", Stamped.init) {
            Column("id", \Stamped.id, .primaryKey)
            Column("at", \Stamped.at, .default(sql: sql))
        }
        let error = #expect(throws: SchemaError.self) { try connection.create(table) }
        #expect("\(String(describing: error))".contains("strftime('%Y-%m-%dT%H:%M:%f', 'now')"))
        let schema = Schema("s") {
            Version(1) { CreateTable("t") { ColumnDef("at", Date.self, .default(sql: sql)) } }
        }
        #expect(throws: SchemaError.self) { try schema.migrate(connection) }
        #expect(try connection.tableNames() == [])
    }

    @Test func defaultsThatAreFound() throws {
        let connection = try Connection()
        let table = Table("stamped", Stamped.init) {
            Column("id", \Stamped.id, .primaryKey)
            Column("at", \Stamped.at, .default(sql: "strftime('%Y-%m-%dT%H:%M:%f', 'now')"))
        }
        try connection.create(table)
        try connection.run("INSERT INTO stamped DEFAULT VALUES")
        let stamped = try #require(try connection.all(from: table).first)
        #expect(try connection.all(from: table) { $0.at == stamped.at } == [stamped])
        for (form, sql): (StorageForm<Date>, SQL) in [
            (.unixTime, "unixepoch()"), (.unixMilliseconds, "unixepoch() * 1000"), (.julianDay, "julianday('now')"),
        ] {
            let table = Table("stamped", Stamped.init) {
                Column("id", \Stamped.id, .primaryKey)
                Column("at", \Stamped.at, as: form, .default(sql: sql))
            }
            try connection.execute("DROP TABLE stamped")
            try connection.create(table)
            let wrong = Table("wrong", Stamped.init) {
                Column("id", \Stamped.id, .primaryKey)
                Column("at", \Stamped.at, as: form, .default(sql: "CURRENT_TIMESTAMP"))
            }
            #expect(throws: SchemaError.self) { try connection.create(wrong) }
        }
        // What the program alone knows is not checked, nor a default of another type.
        try connection.create(
            Table("own", Stamped.init) {
                Column("id", \Stamped.id, .primaryKey)
                Column("at", \Stamped.at, .default(sql: "my_now()"))
            })
        try Schema("s") {
            Version(1) { CreateTable("t") { ColumnDef("at", String.self, .default(sql: "CURRENT_TIMESTAMP")) } }
        }.migrate(connection)
    }

    /// A number in a default is the number, and not the one beside it.
    @Test func defaultsOfNumbers() throws {
        struct Number: TableRecord {
            let id: Int64?
            let number: Double
            static let table = Table("numbers", Number.init) {
                Column("id", \Number.id, .primaryKey); Column("number", \Number.number)
            }
        }
        let connection = try Connection()
        var random = TestSeed.of().generator()
        for _ in 0..<300 {
            let bits = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
            let number = Bool.random(using: &random) ? bits : Double.random(in: -1e6...1e6, using: &random)
            // No text of the smallest is read exactly by SQLite 3.40.
            guard number.isFinite, number.magnitude > 1e-280 else { continue }
            let table = Table("numbers", Number.init) {
                Column("id", \Number.id, .primaryKey)
                Column("number", \Number.number, .default(number))
            }
            try connection.create(table)
            try connection.run("INSERT INTO numbers DEFAULT VALUES")
            #expect(try connection.all(from: table).map(\.number.bitPattern) == [number.bitPattern], "\(number)")
            try connection.execute("DROP TABLE numbers")
        }
    }
}
