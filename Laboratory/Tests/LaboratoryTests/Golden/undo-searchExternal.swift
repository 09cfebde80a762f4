// swift-format-ignore-file
import Foundation
import Squall
import SquallChanges
import SquallSearch
import SquallStore
import Testing

private struct Item: Hashable, Sendable {
    let id: Int64
    let part: Int64
    let name: String
    let price: Double?
    let note: String?
    let owner: Int64?
    let stars: Int64
    let code: Int64?
    let seen: Date?
    let data: Data?
}

private let items = Table(
    "items", Item.init(id:part:name:price:note:owner:stars:code:seen:data:),
    Column("id", \Item.id, .primaryKey), Column("part", \Item.part), Column("name", \Item.name), Column("price", \Item.price), Column("note", \Item.note), Column("owner", \Item.owner), Column("stars", \Item.stars), Column("code", \Item.code), Column("seen", \Item.seen), Column("data", \Item.data))

@Test func undoSearchExternal() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/main.db"
    let configuration = Configuration.recommended
    @Sendable func prepare(_ c: Connection) throws {
    }
    @Sendable func prepareWriter(_ c: Connection) throws {
    }
    func open() throws -> Database {
        try Database(path, configuration: configuration, preparation: { c in
            try prepare(c)
        }, writerConnectionPreparation: prepareWriter)
    }
    var history_a: UndoHistory!
    var db = try open()
    try db.blocking.writeWithoutTransaction { try $0.execute(#"CREATE TABLE authors(id INTEGER PRIMARY KEY, name TEXT NOT NULL); CREATE TABLE items(id INTEGER NOT NULL PRIMARY KEY, part INTEGER NOT NULL, name TEXT NOT NULL, price REAL, note TEXT, owner INTEGER, stars INTEGER NOT NULL DEFAULT 7, code INTEGER UNIQUE, seen TEXT, data BLOB)"#) }
    try db.blocking.write { c in try c.execute(#"INSERT INTO authors VALUES(0, 'owner')"#) }
    try db.blocking.write { c in try c.execute(#"INSERT INTO authors VALUES(1, 'owner')"#) }
    try db.blocking.write { c in try c.table(items).insert(Item(id: 1, part: 1, name: "gamma delta a\0b", price: -2.5, note: "beta delta it\'s \"\\", owner: nil, stars: -1, code: nil, seen: Date(timeIntervalSince1970: 1743861599), data: nil)) }
    try db.blocking.write { c in try c.table(items).insert(Item(id: 2, part: 2, name: "delta gamma", price: nil, note: nil, owner: nil, stars: -1, code: nil, seen: nil, data: Data([]))) }
    try db.blocking.write { c in try c.table(items).insert(Item(id: 3, part: 0, name: "", price: 3.0, note: nil, owner: nil, stars: -9223372036854775807, code: nil, seen: Date(timeIntervalSince1970: 2346380568), data: Data([]))) }
    try db.blocking.write { try $0.execute("CREATE TABLE drafts_a(id INTEGER PRIMARY KEY)") }
    let search_external_unicode61_false_false_b = SearchTableDefinition("search_external_unicode61_false_false_b", of: .init(table: "items", rowID: "id"), columns: "name", "note", unindexed: [], content: .external, tokenizer: .init("unicode61"), prefixes: [], detail: .full, hasColumnSizes: true)
    try db.blocking.write { try $0.create(search_external_unicode61_false_false_b) }
    history_a = try UndoHistory(db, tables: [])
    history_a = nil
    try db.blocking.close()
    db = try open()
    history_a = try UndoHistory(db, tables: [])
    _ = try history_a.blocking.undo()
    try history_a.blocking.write("Change") { c in
        try c.execute(#"DELETE FROM items WHERE id = 2"#)
        try c.execute(#"INSERT INTO authors VALUES(5, 'owner')"#)
    }
    _ = try history_a.blocking.undo()
    try db.blocking.write { try $0.rebuild(search_external_unicode61_false_false_b) }
    history_a = nil
    try db.blocking.close()
    db = try open()
    history_a = try UndoHistory(db, tables: [])
    try db.blocking.writeWithoutTransaction { c in
        let expected: [Item] = [
            Item(id: 1, part: 1, name: "gamma delta a\0b", price: -2.5, note: "beta delta it\'s \"\\", owner: nil, stars: -1, code: nil, seen: Date(timeIntervalSince1970: 1743861599), data: nil),
            Item(id: 2, part: 2, name: "delta gamma", price: nil, note: nil, owner: nil, stars: -1, code: nil, seen: nil, data: Data([])),
            Item(id: 3, part: 0, name: "", price: 3.0, note: nil, owner: nil, stars: -9223372036854775807, code: nil, seen: Date(timeIntervalSince1970: 2346380568), data: Data([])),
        ]
        #expect(try Set(c.table(items).all()) == Set(expected))
        let bytes: [String] = try c.query("SELECT hex(name) || '/' || iif(note IS NULL, '-', hex(note)) AS b FROM items ORDER BY b")
        #expect(bytes == ["/-", "64656C74612067616D6D61/-", "67616D6D612064656C746120610062/626574612064656C7461206974277320225C"])
        let authors: [String] = try c.query("SELECT id || ' ' || name FROM authors ORDER BY id")
        #expect(authors == ["0 owner", "1 owner"])
        let problems: [String] = try c.query("PRAGMA integrity_check")
        #expect(problems == ["ok"])
        let orphans: Int = try c.query("SELECT count(*) FROM pragma_foreign_key_check")
        #expect(orphans == 0)
        try c.integrityCheck(search_external_unicode61_false_false_b)
    }
}
