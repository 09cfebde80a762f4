import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

/// Forms of conditions, and values.
@Suite(.timeLimit(.minutes(5))) struct HostileScopeFormTests {
    @Test(arguments: [
        "ITEMS.LIST IN (SELECT Members.List FROM MEMBERS WHERE USER = :user)",
        "[items].\"LIST\" IN (SELECT `list` FROM [members] WHERE 'user' <> 'x' AND user = :user)",
        "(list, :user) IN (SELECT * FROM members)", "list IN (SELECT list FROM members AS items WHERE user = :user)",
        "EXISTS (SELECT 1 FROM members items WHERE items.user = :user AND list = 'a')",
        "list IN (SELECT items.list FROM members AS m JOIN items ON items.list = m.list WHERE user = :user)",
        "list IN (SELECT list FROM members NATURAL JOIN items WHERE user = :user AND id = '1')",
        "NOT list IN (SELECT list FROM members WHERE user = :user)",
        "(list, owner) IN (SELECT list, user FROM members UNION ALL SELECT list, owner FROM items AS i WHERE i.id = '2')",
    ]) func conditionsHaveAnyForm(_ condition: String) async throws {
        let world = try await OneTableWorld(
            HostileScopeTests.items + ";" + HostileScopeTests.members, condition: condition)
        for sql in [
            "INSERT INTO items VALUES('1', 'a', 'ada', 'y'), ('2', 'b', 'bob', 'x')" as SQL,
            "INSERT INTO members VALUES('a','ada')", "INSERT INTO members VALUES('b','ada')",
            "UPDATE items SET list = 'b' WHERE id = '1'", "UPDATE members SET list = 'c' WHERE list = 'b'",
            "UPDATE items SET owner = 'ada', list = 'c'", "DELETE FROM members", "DELETE FROM items WHERE id = '2'",
        ] {
            try await world.hub.database.run(sql)
            try await world.check()
        }
    }

    /// The changes of the log's own tables are not in the log.
    @Test(arguments: ["squall_sync_log", "squall_sync_cursors", "squall_sync_state"])
    func tablesOfTheLogAreNotRead(_ table: String) async throws {
        let database = try Database(":memory:", configuration: .recommended)
        try await database.run(HostileScopeTests.items)
        var hub: SyncHub? = try await SyncHub(database) { SyncTable("items") }
        #expect(hub != nil)
        hub = nil
        let column = ["squall_sync_state": "name"][table] ?? "sequence"
        let condition = "id IN (SELECT \(column) FROM \(table))"
        await #expect(throws: SQLiteError.self) {
            try await SyncHub(database) { SyncTable("items", visible: condition) }
        }
    }

    @Test func valuesOfAnySizeAreCompared() async throws {
        let world = try await OneTableWorld(
            "CREATE TABLE items(id TEXT PRIMARY KEY, value, owner TEXT)",
            condition: "owner IN (SELECT i.owner FROM items AS i WHERE i.owner = :user)")
        try await world.hub.database.run(
            """
            INSERT INTO items VALUES('1', zeroblob(3000000), 'ada'), ('2', 9223372036854775807, 'ada'), ('3', 9e999, 'ada'),
                ('4', -9e999, 'ada'), ('5', -0.0, 'ada'), ('6', x'', 'ada'), ('7', '', 'ada'),
                ('8', CAST(x'ff00fe' AS TEXT), 'ada'), ('9', 'a' || char(0) || 'b', 'ada')
            """)
        try await world.check()
        try await world.hub.database.run("UPDATE items SET owner = 'bob' WHERE id > '3'")
        try await world.check()
        try await world.hub.database.run("UPDATE items SET owner = 'ada'")
        try await world.check()
    }
}
