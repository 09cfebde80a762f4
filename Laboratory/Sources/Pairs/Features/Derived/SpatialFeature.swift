import Squall
import SquallSearch

/// An R*Tree that follows the prices of `items`.
final class SpatialFeature: FeatureParts {
    private let table: SpatialTable

    init(_ suffix: String) {
        table = SpatialTable("boxes_\(suffix)", dimensions: SpatialDimension("low", "high"))
    }

    func setUp(_ world: World) throws {
        world.log(
            """
            let \(table.name) = SpatialTable("\(table.name)", dimensions: SpatialDimension("low", "high"))
            try db.blocking.write { try $0.create(\(table.name)); \
            try $0.createTriggers(for: \(table.name), following: "items", bounds: [("part", "part")]) }
            """)
        try world.database.blocking.write { connection in
            try connection.create(table)
            try connection.createTriggers(for: table, following: "items", bounds: [("part", "part")])
        }
    }

    var swift: FeatureSwift {
        FeatureSwift(expectations: ["#expect(try c.integrityCheck(of: \(table.name)).isEmpty)"])
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        world.log(
            "try db.blocking.write { try $0.createTriggers(for: \(table.name), following: \"items\", bounds: [(\"part\", \"part\")]) }"
        )
        try world.database.blocking.write {
            try $0.createTriggers(for: table, following: "items", bounds: [("part", "part")])
        }
        try world.check()
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {
        let problems = try connection.integrityCheck(of: table)
        try require(problems.isEmpty, "rtreecheck: \(problems)")
        for part in 0..<3 {
            let box = SpatialBox(Double(part)...Double(part))
            let found = try connection.entries(table.within(box)).map(\.id).sorted()
            let expected = model.rows.filter { $0.part == part }.map(\.id)
            try require(found == expected, "\(table.name) has \(found) in \(part), not \(expected)")
        }
    }
}
