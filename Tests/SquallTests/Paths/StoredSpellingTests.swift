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

    /// The text `null` is `nil` where it is read, and where it is looked for.
    @Test func nullInJSONIsFound() throws {
        let connection = try Connection()
        try connection.create(Profile.table)
        for extra in [nil, "null", " null\n", "{\"tags\":[]}", "{\"name\":\"null\",\"tags\":[]}"] {
            try connection.run("INSERT INTO profiles(settings, extra) VALUES('{\"tags\":[]}', \(extra))")
        }
        let read = try connection.all(Profile.self)
        let missing = read.filter { $0.extra == nil }
        #expect(missing.map(\.id) == [1, 2, 3])
        #expect(try connection.all(Profile.self) { $0.extra == nil } == missing)
        #expect(try connection.all(Profile.self) { $0.extra.isNull } == missing)
        #expect(try connection.count(Profile.where { $0.extra != nil }) == 2)
        for profile in read where profile.extra != nil {
            let found = try connection.all(Profile.self) { $0.extra == profile.extra }
            #expect(found == [profile])
        }
    }

    private struct Document: TableRecord, Equatable {
        let id: UUID
        let name: String
        static let table = Table("documents", Document.init) {
            Column("id", \Document.id, .primaryKey)
            Column("name", \Document.name)
        }
        /// Another table of the same columns, whose key is stored in another form.
        static let archive = Table("archive", Document.init) {
            Column("id", \Document.id, as: .text, .primaryKey)
            Column("name", \Document.name)
        }
        static let pages = Page.document.inverse()
    }

    private struct Page: TableRecord, Equatable {
        let id: Int64
        let document: UUID
        static let table = Table("pages", Page.init) {
            Column("id", \Page.id, .primaryKey)
            Column("document", \Page.document)
        }
        static let document = Relation(\Page.document, to: \Document.id)
    }

    @Test func relationsOfRecordsOfOtherQueries() throws {
        let connection = try Connection()
        try connection.create(Owner.table)
        try connection.create(Item.table)
        let id = UUID()
        try connection.run("INSERT INTO owners VALUES(\(id.uuidString.lowercased()), 'a')")
        try connection.run("INSERT INTO items VALUES(1, \(id.uuidString.lowercased()))")
        let counts = [
            try connection.all(Owner.self, including: Owner.items).map(\.1.count),
            try connection.all(Owner.query.select { $0.record }, including: Owner.items).map(\.1.count),
            try connection.all(Item.join(Item.owner).select { $1.record }, including: Owner.items).map(\.1.count),
            try connection.all(Owner.where { $0.name == "a" }.distinct(), including: Owner.items).map(\.1.count),
        ]
        #expect(counts == [[1], [1], [1], [1]])
        // A table with another form has other keys: the record's is looked for.
        try connection.create(Document.table)
        try connection.create(Document.archive)
        try connection.create(Page.table)
        let document = Document(id: id, name: "a")
        try connection.table(Document.archive).insert(document)
        try connection.insert(Page(id: 1, document: id))
        let archived = try connection.all(Document.archive.query, including: Document.pages)
        #expect(archived.map(\.1.count) == [1])
        // A record that a closure makes is no row of its table.
        let made = try connection.all(
            Document.archive.query.select(into: { Document(id: $0, name: $1) }) { ($0.id, $0.name) },
            including: Document.pages)
        #expect(made.map(\.1.count) == [1])
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

    /// Such a type has no time.
    @Test func aDefaultThatIsNotAValueOfItsType() throws {
        enum Kind: String, Binding { case open, closed }
        struct Item: TableRecord {
            let kind: Kind
            static let table = Table("items", Item.init) { Column("kind", \Item.kind, .default(sql: "'other'")) }
        }
        let connection = try Connection()
        let error = #expect(throws: SchemaError.self) { try connection.create(Item.table) }
        #expect(
            "\(String(describing: error))".contains(
                #"the default ('other') of the column "kind" is 'other', which is no Kind"#))
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
        let stamped = try #require(try connection.table(table).all().first)
        #expect(try connection.table(table).all { $0.at == stamped.at } == [stamped])
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
        // Numbers that are equal are found.
        struct Reading: TableRecord {
            let id: Int64?; let value: Double;
            static let table = Table("readings", Reading.init) {
                Column("id", \Reading.id, .primaryKey); Column("value", \Reading.value)
            }
        }
        try connection.create(
            Table("readings", Reading.init) {
                Column("id", \Reading.id, .primaryKey)
                Column("value", \Reading.value, .type(""), .default(sql: "0"))
            })
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
            #expect(try connection.table(table).all().map(\.number.bitPattern) == [number.bitPattern], "\(number)")
            try connection.execute("DROP TABLE numbers")
        }
    }
}
