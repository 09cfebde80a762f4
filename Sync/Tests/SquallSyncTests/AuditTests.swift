import Foundation
import Squall
import SquallChanges
import SquallSync
import SquallSyncHub
import Testing

@Suite(.timeLimit(.minutes(2))) struct AuditTests {
    @Test func aRangeThatDiffersIsNamed() async throws {
        let world = try await SyncWorld(devices: 1)
        let (hub, device) = (world.hub.database, world.devices[0])
        #expect(try await device.audit() == nil)
        try await hub.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2500)
            INSERT INTO lists SELECT printf('%05d', i), 'name ' || i, i * 0.5 FROM n
            """)
        try await device.now()
        #expect(try await device.audit() == nil)
        // A damage that no log has.
        func damage(_ database: Database, _ sql: SQL) async throws {
            try await database.writeWithoutTransaction { connection in
                try connection.execute("PRAGMA foreign_keys = OFF")
                try connection.execute(sql)
            }
        }
        let copy = try await SyncWorld.database()
        for (sql, after, through) in [
            ("UPDATE lists SET note = 7 WHERE id = '01500'", "01000", "02000"),
            ("UPDATE lists SET note = NULL WHERE id = '00007'", "", "01000"),
            ("DELETE FROM lists WHERE id = '02500'", "02000", ""),
            ("INSERT INTO lists VALUES('9', '9', NULL)", "02000", ""),
        ] as [(SQL, String, String)] {
            let bytes = try await device.database.writeWithoutTransaction { try $0.serialize() }
            try await copy.writeWithoutTransaction { try $0.deserialize(bytes) }
            try await damage(copy, sql)
            let other = try await SyncWorld.device(world.hub.transport(for: SyncPrincipal(user: "ada")), in: copy)
            func key(_ text: String) -> [BindingValue] { text.isEmpty ? [] : [.text(text)] }
            let difference = try await other.audit()
            #expect(
                difference?.table == "lists" && difference?.after == key(after) && difference?.through == key(through))
        }
    }

    @Test func changesOfEitherSideAreNoDifference() async throws {
        let world = try await SyncWorld(devices: 1)
        let (hub, device) = (world.hub.database, world.devices[0])
        try await hub.run("INSERT INTO lists VALUES('a', 'A', x'00'), ('b', 'B', 1), ('c', 'C', 1.0), ('d', 'D', '')")
        try await device.now()
        try await hub.run("UPDATE lists SET note = 'hub' WHERE id = 'a'; DELETE FROM lists WHERE id = 'b'")
        try await device.database.run(
            "UPDATE lists SET note = 'device' WHERE id = 'c'; INSERT INTO lists VALUES('e', 'E', 2); DELETE FROM lists WHERE id = 'd'"
        )
        #expect(try await device.audit() == nil)
        try await device.now()
        #expect(try await device.audit() == nil)
    }

    @Test func keysAreRead() throws {
        let key: [BindingValue] = [
            .integer(-7), .real(-0.5), .text("é\0"), .blob(Data([0, 255])), .null, .malformedText(Data([0xff])),
            .text(""),
        ]
        #expect(try RowBytes.key(RowBytes.data(ofKey: key)) == key)
        for bytes in [
            [1], [3, 0, 0, 0, 0, 0, 0, 0, 9], [9, 0, 0, 0, 0, 0, 0, 0, 0], [4] + Array(repeating: 255, count: 8),
        ] {
            #expect(throws: SyncRefusal.self) { try RowBytes.key(Data(bytes.map { UInt8($0) })) }
        }
    }
}
