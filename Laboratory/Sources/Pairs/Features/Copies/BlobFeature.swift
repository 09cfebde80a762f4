import Foundation
import Squall

/// Values that are read and written in parts.
final class BlobFeature: FeatureParts {
    private let suffix: String
    /// Whether a step has written a value, or was refused.
    private var hasRun = false

    init(_ suffix: String) { self.suffix = suffix }

    func shape(_ shape: inout TableShape) { shape.hasBlobs = true }

    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        let isFilled: (ItemRow) -> Bool = { $0.data?.isEmpty == false }
        if !world.hidesTables, !world.model.rows.contains(where: isFilled) {
            var row = ItemRow(id: (0...).first { world.model.items[$0] == nil } ?? 0)
            row.data = Data([0, 255, 0])
            try world.write([.insert([row], .record)], nil, &dice)
        }
        guard let row = dice.element(of: world.model.rows.filter(isFilled)), let data = row.data else { return }
        hasRun = true
        try BlobRules(world).check(row)
        try writeAttached(world)
        let offset = dice.number(below: data.count)
        try write([UInt8]([9, 0, 9].prefix(data.count - offset)), at: offset, of: row, data, world)
    }

    /// Each run has a step: some forms of the table refuse all of them.
    func end(_ world: World) throws {
        var dice = Dice(seed: 1)
        if !hasRun { try step(world, &dice) }
    }

    private func write(_ part: [UInt8], at offset: Int, of row: ItemRow, _ data: Data, _ world: World) throws {
        let id = try world.rowID(of: row)
        world.log(
            transaction: [
                "let part: [UInt8] = \(part)",
                "try c.withBlob(in: \"items\", column: \"data\", row: \(id), mode: .readWrite) { try $0.write(part.span, at: \(offset)) }",
            ])
        do {
            try world.transaction { connection in
                try connection.withBlob(in: "items", column: "data", row: id, mode: .readWrite) { blob in
                    try blob.write(part.span, at: offset)
                }
            }
        } catch let error as SQLiteError where error.problem(BlobProblem.self) != nil {
            return try world.refuse(error)
        }
        var (row, bytes) = (row, [UInt8](data))
        bytes.replaceSubrange(offset..<offset + part.count, with: part)
        row.data = Data(bytes)
        var new = world.model
        new.items[row.id] = row
        try world.commit(new, by: self, .surrounded)
        try BlobRules(world).checkMoves("data") { $0.data.map { [UInt8]($0) } }
    }

    /// Writes a value of the table of the same name in an attached database, which has none of the triggers and indexes.
    private func writeAttached(_ world: World) throws {
        let (name, part) = ("blobs_\(suffix)", [UInt8]("written".utf8))
        world.log(
            """
            try db.blocking.writeWithoutTransaction { c in
                try c.attachDatabase(from: .inMemory, withName: "\(name)")
                try c.execute("CREATE TABLE \(name).items(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO \(name).items VALUES(1, 'attached')")
                try c.withBlob(in: "items", column: "name", row: 1, database: "\(name)", mode: .readWrite) {
                    try $0.write([UInt8]("written".utf8).span, at: 0)
                }
            }
            """)
        let text: String = try world.database.blocking.writeWithoutTransaction { connection in
            try connection.attachDatabase(from: .inMemory, withName: name)
            try connection.execute(
                """
                CREATE TABLE \(name: name).items(id INTEGER PRIMARY KEY, name TEXT);
                INSERT INTO \(name: name).items VALUES(1, 'attached')
                """)
            try connection.withBlob(in: "items", column: "name", row: 1, database: name, mode: .readWrite) {
                try $0.write(part.span, at: 0)
            }
            return try connection.query("SELECT name FROM \(name: name).items")
        }
        try require(text == "writtend", "a value of an attached database is \(text)")
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {}
}

extension World {
    /// Returns the rowid of a row. A table without rowids is refused whatever the number is.
    func rowID(of row: ItemRow) throws -> Int64 {
        if shape.isWithoutRowID { return row.id }
        return try database.blocking.read {
            try $0.query("SELECT rowid FROM main.items WHERE \(raw: shape.condition(row.id))")
        }
    }
}
