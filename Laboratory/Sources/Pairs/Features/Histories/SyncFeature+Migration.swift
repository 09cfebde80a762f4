import Squall
import SquallChanges

extension SyncFeature {
    /// Migrates the log, with changes that were not sent: a column is renamed and gets its name back, or is added and dropped.
    func migrate(_ world: World, _ dice: inout Dice) throws {
        let (mine, other) = (newRow(&dice), newRow(&dice))
        try world.write([.insert([mine], .record)], nil, &dice)
        try record(.insert([other], .sql), world)
        shared.version += 2
        let schema = Self.schema(shared.version / 2)
        world.log("let versions\(shared.version) = \(Self.swift(of: shared.version / 2))")
        world.log("try db.blocking.migrate(versions\(shared.version))")
        try world.database.blocking.migrate(schema)
        for part in world.parts {
            guard let part = part as? SyncFeature, part.generation == shared.generation else { continue }
            for path in [\SyncFeature.replica, \SyncFeature.wide] {
                guard let replica = part[keyPath: path] else { continue }
                let origin = replica.log.origin
                world.log(
                    """
                    try versions\(shared.version).migrate(\(origin))
                    \(origin)Log = try SyncLog(\(origin), origin: "\(origin)", role: .\(replica.log.role), \
                    tables: \(part.swiftOfTables), version: \(shared.version))
                    """)
                try schema.migrate(replica.connection)
                part[keyPath: path]?.log = try SyncLog(
                    replica.connection, origin: replica.log.origin, role: replica.log.role, tables: tables,
                    version: shared.version)
            }
        }
        try open(world, tables)
        try world.commit(world.model, by: self, .migration)
        var new = world.model
        new.items[other.id] = other
        try exchange(world)
        try world.commit(new, by: self)
    }

    /// The schema of some migrations.
    static func schema(_ count: Int) -> Schema {
        Schema("sync") { for number in 1...count { version(number) } }
    }

    /// The Swift of the schema.
    private static func swift(of count: Int) -> String {
        let versions = (1...count).map { number in
            let (first, second) = (number * 2 - 1, number * 2)
            let steps =
                number % 2 == 0
                ? [
                    "AlterTable(\"items\") { AddColumn(\"size\", Int?.self, fillingWith: \"length(name)\") }",
                    "Execute { try SyncLog.migrate(\"items\", to: \(first), columns: [\"size\": \"length(name)\"], on: $0) }",
                    "AlterTable(\"items\") { DropColumn(\"size\") }",
                    "Execute { try SyncLog.migrate(\"items\", to: \(second), on: $0) }",
                ]
                : [
                    "AlterTable(\"items\") { RenameColumn(\"price\", to: \"cost\") }",
                    "Execute { try SyncLog.migrate(\"items\", to: \(first), columns: [\"cost\": \"price\"], on: $0) }",
                    "AlterTable(\"items\") { RenameColumn(\"cost\", to: \"price\") }",
                    "Execute { try SyncLog.migrate(\"items\", to: \(second), columns: [\"price\": \"cost\"], on: $0) }",
                ]
            return "Version(\(number)) {\n\(steps.joined(separator: "\n"))\n}"
        }
        return "Schema(\"sync\") {\n\(versions.joined(separator: "\n"))\n}"
    }

    private static func version(_ number: Int) -> Version {
        let (first, second) = (number * 2 - 1, number * 2)
        if number % 2 == 0 {
            return Version(number) {
                AlterTable("items") { AddColumn("size", Int?.self, fillingWith: "length(name)") }
                Execute { try SyncLog.migrate("items", to: first, columns: ["size": "length(name)"], on: $0) }
                AlterTable("items") { DropColumn("size") }
                Execute { try SyncLog.migrate("items", to: second, on: $0) }
            }
        }
        return Version(number) {
            AlterTable("items") { RenameColumn("price", to: "cost") }
            Execute { try SyncLog.migrate("items", to: first, columns: ["cost": "price"], on: $0) }
            AlterTable("items") { RenameColumn("cost", to: "price") }
            Execute { try SyncLog.migrate("items", to: second, columns: ["price": "cost"], on: $0) }
        }
    }
}
