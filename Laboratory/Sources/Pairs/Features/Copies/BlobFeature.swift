import Foundation
import Squall

/// Values that are read and written in parts.
final class BlobFeature: FeatureParts {
    private let suffix: String

    init(_ suffix: String) { self.suffix = suffix }

    func shape(_ shape: inout TableShape) { shape.hasBlobs = true }

    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        guard var row = dice.element(of: world.model.rows.filter { $0.data?.isEmpty == false }), let data = row.data
        else { return }
        let condition = world.shape.condition(row.id)
        // A table without rowids is refused whatever the number is.
        let id: Int64 =
            world.shape.isWithoutRowID
            ? row.id
            : try world.database.blocking.read { try $0.query("SELECT rowid FROM items WHERE \(raw: condition)") }
        let offset = dice.number(below: data.count)
        let part = [UInt8]([9, 0, 9].prefix(data.count - offset))
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
        var bytes = [UInt8](data)
        bytes.replaceSubrange(offset..<offset + part.count, with: part)
        row.data = Data(bytes)
        var new = world.model
        new.items[row.id] = row
        try world.commit(new, by: self, .surrounded)
        let read = try world.database.blocking.read { connection in
            try connection.withBlob(in: "items", column: "data", row: id) { blob in
                var all = [UInt8](repeating: 0, count: bytes.count)
                try blob.read(into: &all, at: 0)
                return all
            }
        }
        try require(read == bytes, "a value in parts has \(read.count) other bytes")
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {}
}
