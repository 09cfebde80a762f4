import Squall
import SquallSearch

/// The rooms of a house: boxes on the ground, and the floors that they are on.
private let rooms = SpatialTable(
    "rooms", dimensions: "x", "y", SpatialDimension("lowest", "highest"), coordinates: .integer, auxiliary: ["name"])

func findRooms(_ connection: Connection) throws {
    try connection.create(rooms)
    for (name, box) in [
        ("hall", SpatialBox(0...10, 0...5, 0...2)), ("kitchen", SpatialBox(0...4, 5...9, 0...0)),
        ("study", SpatialBox(4...10, 5...9, 1...1)), ("attic", SpatialBox(0...10, 0...9, 3...3)),
    ] {
        try connection.insert(box, into: rooms, auxiliary: ["name": name])
    }
    let house = try extent(of: rooms, on: connection)
    print("    the house: \(text(of: house, rooms.coordinates)), volume \(volume(of: house))")

    let here = SpatialBox.point(3, 4, 1)
    print("    here: \(try names(rooms.containing(here), on: connection))")
    let west = SpatialBox(0...5, 0...9, 0...3)
    print("    in the west: \(try names(rooms.overlapping(west), on: connection))")
    print("    only there: \(try names(rooms.within(west), on: connection))")
    let alsoBelow = rooms.overlapping(west).and(rooms.overlapping(SpatialBox(0...10, 0...9, 0...0)))
    print("    on the ground floor: \(try names(alsoBelow.and("name <> 'hall'"), on: connection))")
    if let kitchen = try connection.entry(2, in: rooms), let study = try connection.entry(3, in: rooms) {
        print("    kitchen and study have a wall in common: \(neighbours(kitchen, study))")
    }
}

private func names(_ condition: SpatialCondition, on connection: Connection) throws -> [String] {
    try connection.entries(condition).compactMap(name)
}

/// The name of a room is its first auxiliary column.
private func name(of entry: SpatialEntry) -> String? {
    guard case .text(let name)? = entry.auxiliary.first else { return nil }
    return name
}

private func neighbours(_ first: SpatialEntry, _ second: SpatialEntry) -> Bool { first.box.overlaps(second.box) }

/// Returns the box around all entries.
private func extent(of table: SpatialTable, on connection: Connection) throws -> SpatialBox {
    SpatialBox(
        try table.dimensions.map { dimension in
            let low: Double = try connection.query("SELECT min(\(name: dimension.minimum)) FROM \(table)")
            let high: Double = try connection.query("SELECT max(\(name: dimension.maximum)) FROM \(table)")
            return low...high
        })
}

/// Returns the sides of a box, with decimals only where the tree has them.
private func text(of box: SpatialBox, _ coordinates: SpatialTable.Coordinates) -> String {
    (0..<box.dimensionCount).map { dimension in
        let (low, high) = box[dimension]
        return switch coordinates {
        case .integer: "\(Int(low)) to \(Int(high))"
        case .real: "\(low) to \(high)"
        }
    }.joined(separator: ", ")
}

private func volume(of box: SpatialBox) -> Int {
    (0..<box.dimensionCount).reduce(1) { $0 * (Int(box[$1].maximum - box[$1].minimum) + 1) }
}
