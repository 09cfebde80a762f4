import Foundation
import Squall
import SquallEncryption

extension CallList {
    mutating func addConnectionCalls() {
        begin("Connection")
        addProperties()
        addQueries()
        addStatementsBySQL()
        addNamedCalls()
        addReading()
        addWriting()
        addUpserts()
        addDefinitions()
        addExtensions()
        addHooks()
        addUpkeep()
        addSearch()
        addChanges()
    }

    private mutating func addProperties() {
        connection("changes") { _ = $0.changes }
        connection("configuration") { _ = $0.configuration }
        connection("description") { _ = $0.description }
        connection("fileName") { _ = $0.fileName }
        connection("interruptHandle") { $0.interruptHandle.interrupt() }
        connection("isClosed") { _ = $0.isClosed }
        connection("isInTransaction") { _ = $0.isInTransaction }
        connection("lastInsertRowID") { _ = $0.lastInsertRowID }
        connection("limits") { $0.limits[.variables] = $0.limits[.variables] - 1 }
        connection("readOnly") { _ = $0.readOnly }
        connection("statementCache") { _ = $0.statementCache }
        connection("status") { _ = $0.status }
        connection("resetStatus()") { $0.resetStatus() }
        connection("totalChanges") { _ = $0.totalChanges }
        connection("userVersion") { _ = try $0.userVersion }
        connection("setUserVersion(_:)") { try $0.setUserVersion(3) }
        connection("walAutoCheckpoint") { _ = try $0.walAutoCheckpoint }
        connection("setWALAutoCheckpoint(pages:)") { try $0.setWALAutoCheckpoint(pages: 100) }
        connection("interrupt()") { $0.interrupt() }
        connection("close()") { $0.close() }
        connection("init(_:mode:configuration:)") { try Connection($0.fileName, mode: .existing).run("SELECT 1") }
        connection("init(storageLocation:tableLockPolicy:flags:)") { connection in
            try Connection(storageLocation: .onDisk(connection.fileName), flags: 2).run("SELECT 1")
        }
        connection("init(storageLocation:tableLockPolicy:readOnly:multiThreaded:sharedCache:)") { _ in
            try Connection().run("SELECT 1")
        }
    }

    private mutating func addQueries() {
        connection("query(_:_:)") { let _: [Int] = try $0.query("SELECT id FROM items WHERE id > ?", 3) }
        connection("query(_:_:)") { _ = try $0.query("SELECT * FROM items WHERE id = ?", 3) }
        connection("query(_:_:as:)") { _ = try $0.query("SELECT * FROM items WHERE id < ?", 3, as: Row.self) }
        connection("query(_:_:as:)") { _ = try $0.query("SELECT id, name FROM items", as: (Int, String).self) }
        connection("query(_:_:as:body:)") { _ = try $0.query("SELECT id FROM items", as: Int.self) { try $0.get(0) } }
        connection("query(_:_:as:userInfo:)") {
            _ = try $0.query("SELECT * FROM items WHERE id = 1", as: Item.self, userInfo: [:])
        }
        connection("query(_:_:body:)") { let _: Int? = try $0.query("SELECT id FROM items") { try $0.get(0) } }
        connection("query(_:_:body:)") {
            let _: [Int: String] = try $0.query("SELECT id, name FROM items") { (try $0.get(0), try $0.get(1)) }
        }
        connection("query(_:_:of:)") { _ = try $0.query("SELECT id FROM items", of: Int.self) }
        connection("first(_:_:as:)") { _ = try $0.first("SELECT id, name FROM items", as: (Int, String).self) }
        connection("forEach(_:_:body:)") { try $0.forEach("SELECT * FROM items WHERE id > ?", 3) { _ = $0.columns } }
        connection("forEach(_:_:body:)") {
            try $0.forEach("SELECT * FROM items") { (_: Row, stop: inout Bool) in stop = true }
        }
        connection("rows(_:)") { connection in
            var cursor = try connection.rows(Item.where { $0.price > 3 })
            while try cursor.next() != nil {}
        }
        connection("rows(_:_:as:)") { connection in
            var cursor = try connection.rows("SELECT id FROM items WHERE id > ?", 3, as: Int.self)
            while try cursor.next() != nil {}
        }
        connection("rows(_:_:as:)") { connection in
            var cursor = try connection.rows("SELECT * FROM items")
            _ = try cursor.next()
        }
        connection("rows(_:_:as:)") { connection in
            var cursor = try connection.rows("SELECT * FROM items", as: (Int, String, Int).self)
            while try cursor.next() != nil {}
        }
        connection("rows(_:_:as:)") { connection in
            var cursor = try connection.rows("SELECT * FROM copies", as: Copy.self)
            while try cursor.next() != nil {}
        }
        connection("rows(_:_:as:userInfo:)") { connection in
            var cursor = try connection.rows("SELECT id FROM items", as: PlainRecord.self, userInfo: [:])
            while try cursor.next() != nil {}
        }
        connection("table(_:)") { _ = $0.table(Item.table) }
        connection("explainQueryPlan(_:_:)") { _ = try $0.explainQueryPlan("SELECT * FROM items WHERE id = ?", 1) }
    }

    private mutating func addStatementsBySQL() {
        connection("execute(_:)") {
            try $0.execute("INSERT INTO items VALUES(NULL, 'new', 1); DELETE FROM items WHERE id = 20")
        }
        connectionAndScene("execute(contentsOf:)") { connection, scene in
            let path = scene.freePath()
            try Data("SELECT 1; SELECT 2".utf8).write(to: URL(fileURLWithPath: path))
            try connection.execute(contentsOf: URL(fileURLWithPath: path))
        }
        connection("run(_:_:)") { try $0.run("INSERT INTO items VALUES(?, ?, ?)", 50, "new", 1) }
        connection("run(_:_:)") { try $0.run("SELECT count(*) FROM items") }
        connection("run(_:_:)") { try $0.run("CREATE TABLE created(id)") }
        connection("run(_:_:)") { try $0.run("PRAGMA wal_checkpoint(TRUNCATE)") }
        connection("prepare(_:_:)") { try $0.prepare("UPDATE items SET price = ? WHERE id = 1", 5).run() }
        connection("transaction(transactionType:closure:)") { connection in
            try connection.transaction { try connection.run("DELETE FROM items WHERE id = 3") }
        }
        connection("savepoint(named:transactionType:closure:)") { connection in
            try connection.savepoint { try connection.run("DELETE FROM items WHERE id = 3") }
        }
        connection("withDeadline(_:_:)") { connection in
            try connection.withDeadline(.seconds(10)) { try connection.run("SELECT 1") }
        }
        connectionAndScene("attachDatabase(from:withName:)") { connection, scene in
            try connection.attachDatabase(from: .onDisk(scene.freePath()), withName: "other")
        }
        connectionAndScene("attachDatabase(from:withName:encryption:)") { connection, scene in
            try connection.attachDatabase(from: .onDisk(scene.freePath()), withName: "other", encryption: nil)
        }
        object("detachDatabase(named:)") { connection in
            try connection.attachDatabase(from: .inMemory, withName: "attached")
            return connection
        } _: { connection in
            try connection.detachDatabase(named: "attached")
        }
    }

    private mutating func addNamedCalls() {
        connection("select(_:from:where:groupBy:having:orderBy:limit:offset:)") {
            let _: [Int] = try $0.select("id", from: "items", where: "id > 3", orderBy: "id", limit: 2)
        }
        connection("select(_:from:where:groupBy:having:orderBy:limit:offset:)") {
            let _: [PlainRecord] = try $0.select("id", from: "items")
        }
        connection("select(_:from:where:groupBy:having:orderBy:limit:offset:body:)") {
            let _: [Int] = try $0.select("id", from: "items") { try $0.get(0) }
        }
        connection("selectIDs(from:where:orderBy:limit:offset:)") { _ = try $0.selectIDs(from: "items") }
        connection("count(_:column:where:)") { _ = try $0.count("items") }
        connection("insert(into:_:or:)") { try $0.insert(into: "items", ["name": "new", "price": 1]) }
        connection("update(_:set:)") { try $0.update("items", set: ["price": 9]) }
        connection("update(_:set:where:)") { try $0.update("items", set: ["price": 9], where: "id = 1") }
        connection("update(_:rowIDs:set:)") { try $0.update("items", rowIDs: [1, 2], set: ["price": 9]) }
        connection("upsert(into:_:onConflict:)") {
            try $0.upsert(into: "items", ["id": 1, "name": "new", "price": 1], onConflict: "id")
        }
        connection("delete(from:)") { try $0.delete(from: "items") }
        connection("delete(from:where:)") { try $0.delete(from: "items", where: "id = 1") }
        connection("delete(from:rowIDs:)") { try $0.delete(from: "items", rowIDs: [1, 2]) }
    }
}

/// A record without a table.
struct PlainRecord: Decodable {
    let id: Int
}
