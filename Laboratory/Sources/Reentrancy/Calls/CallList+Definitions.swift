import SquallChanges
import Foundation
import Squall
import SquallSearch

extension CallList {
    /// Calls that define tables, or describe them.
    mutating func addDefinitions() {
        connection("create(_:ifNotExists:)") { try $0.create(Item.table, ifNotExists: true) }
        connection("create(_:ifNotExists:)") { try $0.create(Item.searchTable, ifNotExists: true) }
        connection("create(_:ifNotExists:)") { try $0.create(SpatialTable("other_boxes", dimensions: "x")) }
        connection("createTable(_:_:ifNotExists:strict:withoutRowID:)") {
            try $0.createTable("created", ["id", "name"])
        }
        connection("createIndex(_:on:_:unique:where:ifNotExists:)") {
            try $0.createIndex("created_index", on: "items", "price")
        }
        connection("createTriggers(for:following:key:bounds:)") { connection in
            try connection.createTriggers(
                for: Content.boxes, following: "items", bounds: [("price", "price"), ("price", "price")])
        }
        connection("dropTable(_:ifExists:)") { try $0.dropTable("droppable") }
        connection("dropIndex(_:ifExists:)") { try $0.dropIndex("droppable_name") }
        connection("renameTable(_:to:)") { try $0.renameTable("droppable", to: "renamed") }
        connection("addColumn(_:to:)") { try $0.addColumn("added TEXT", to: "droppable") }
        connection("tableNames(in:)") { _ = try $0.tableNames() }
        connection("tableInfo(_:in:)") { _ = try $0.tableInfo("items") }
        connection("searchTableInfo(_:)") { _ = try $0.searchTableInfo("items_search") }
        connection("schemaDefinition(of:)") { _ = try $0.schemaDefinition() }
        connection("changes(toMatch:)") { _ = try $0.changes(toMatch: Item.searchTable) }
        connection("plan(toMatch:)") { _ = try $0.plan(toMatch: Item.table, Copy.table) }
        connection("plan(toMatch:)") { _ = try $0.plan(toMatch: [Item.table.definition]) }
        connection("require(_:)") { try $0.require(Content.expected) }
        connection("require(_:while:)") { connection in
            _ = try connection.require(Content.expected) { try connection.query("SELECT name FROM items") as [String] }
        }
        connection("sync(_:preserve:)") { try $0.sync([Item.table.definition, Copy.table.definition]) }
    }

    /// Calls of the upkeep of a file.
    mutating func addUpkeep() {
        connection("vacuum(databaseNamed:)") { try $0.vacuum() }
        connectionAndScene("vacuum(databaseNamed:into:)") { try $0.vacuum(into: $1.freePath()) }
        connection("serialize(databaseNamed:)") { _ = try $0.serialize() }
        add("deserialize(_:)", .connection, grounds: [.own, .memory, .writer, .reader]) { scene, inSituation in
            let connection = try scene.requireConnection()
            let other = try Connection()
            try other.execute("CREATE TABLE items(id INTEGER PRIMARY KEY, name, price)")
            let data = try other.serialize()
            try inSituation { try connection.deserialize(data) }
        }
        connection("checkpoint(attachedDatabaseName:mode:)") { _ = try $0.checkpoint() }
        connection("optimize(databaseNamed:)") { try $0.optimize() }
        connection("integrityCheck(maxErrors:)") { _ = try $0.integrityCheck() }
        connection("quickCheck(maxErrors:)") { _ = try $0.quickCheck() }
        connection("foreignKeyCheck(table:in:)") { _ = try $0.foreignKeyCheck() }
        connection("backup(databaseNamed:to:as:pagesPerStep:)") { try $0.backup(to: Connection()).run() }
    }

    /// Calls of full-text search and of R*Trees.
    mutating func addSearch() {
        connection("drop(_:)") { try $0.drop(Item.searchTable) }
        connection("rebuild(_:)") { try $0.rebuild(Item.searchTable) }
        connection("optimize(_:)") { try $0.optimize(Item.searchTable) }
        connection("integrityCheck(_:)") { try $0.integrityCheck(Item.searchTable) }
        connection("integrityCheck(of:)") { _ = try $0.integrityCheck(of: Content.boxes) }
        connection("entries(_:limit:)") { _ = try $0.entries(Content.boxes.overlapping(Content.box)) }
        connection("entries(of:)") { _ = try $0.entries(of: Content.boxes) }
        connection("entry(_:in:)") { _ = try $0.entry(1, in: Content.boxes) }
        connection("insert(_:id:into:auxiliary:or:)") { try $0.insert(Content.box, id: 7, into: Content.boxes) }
        connection("update(_:id:in:)") { try $0.update(Content.box, id: 1, in: Content.boxes) }
    }

    /// Calls of the session extension, and of incremental blobs.
    mutating func addChanges() {
        connection("withBlob(in:column:row:database:mode:_:)") { connection in
            try connection.withBlob(in: "files", column: "content", row: 1) { blob in _ = try blob.data() }
        }
        connection("withBlob(in:column:row:database:mode:_:)") { connection in
            try connection.withBlob(in: "files", column: "content", row: 1, mode: .readWrite) { blob in
                try blob.write([1, 2, 3], at: 0)
            }
        }
        connection("recordChanges(in:database:memoryLimit:_:)") { connection in
            _ = try connection.recordChanges(in: "items") { try $0.run("UPDATE items SET price = 3 WHERE id = 3") }
        }
        connection("recordPatchset(in:database:memoryLimit:_:)") { connection in
            _ = try connection.recordPatchset(in: "items") { try $0.run("UPDATE items SET price = 3 WHERE id = 3") }
        }
        connection("startRecording(in:database:memoryLimit:)") { connection in
            let recorder = try connection.startRecording(in: ["items"])
            try connection.run("UPDATE items SET price = 3 WHERE id = 3")
            _ = try recorder.changeset()
        }
        connection("startRecording(database:memoryLimit:where:)") { connection in
            let recorder = try connection.startRecording { $0 == "items" }
            try connection.run("UPDATE items SET price = 3 WHERE id = 3")
            _ = try recorder.changeset()
        }
        connection("apply(_:options:_:)") { try $0.apply(Changesets.update) { _ in .omit } }
        connection("apply(_:options:_:)") { try $0.apply(Changesets.stream()) { _ in .omit } }
        connection("apply(_:to:options:_:)") { connection in
            try connection.apply(Changesets.update, to: { _ in true }) { _ in .omit }
        }
        connection("apply(_:to:options:_:)") { connection in
            try connection.apply(Changesets.stream(), to: { _ in true }) { _ in .omit }
        }
        connectionAndScene("difference(from:tables:)") { connection, scene in
            let other = scene.freePath()
            try FileManager.default.copyItem(atPath: scene.path, toPath: other)
            _ = try connection.difference(from: other, tables: ["copies"])
        }
        add("difference(fromAttached:tables:)", .connection) { scene, inSituation in
            let connection = try scene.requireConnection()
            let other = scene.freePath()
            try FileManager.default.copyItem(atPath: scene.path, toPath: other)
            try connection.attachDatabase(from: .onDisk(other), withName: "attached")
            try inSituation { _ = try connection.difference(fromAttached: "attached", tables: ["copies"]) }
        }
    }
}

enum Changesets {
    /// A change that conflicts with no row, or with one.
    static let update: Changeset = {
        let changes = try? Connection().recorded()
        return changes ?? Changeset(Data())
    }()

    static func stream() -> ChangesetStream {
        var rest: Data? = update.data
        return ChangesetStream {
            defer { rest = nil }
            return rest
        }
    }
}

extension Connection {
    fileprivate func recorded() throws -> Changeset {
        try create(Copy.table)
        try insert(Copy(id: 3, name: "copy", price: 3))
        return try recordChanges(in: "copies") {
            try $0.run("UPDATE copies SET price = 4")
            try $0.run("INSERT INTO copies VALUES(4, 'new', 4)")
        }
    }
}
