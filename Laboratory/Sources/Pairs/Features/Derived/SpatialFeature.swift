import Squall
import SquallSearch

/// R*Trees that follow numbers of `items`.
final class SpatialFeature: FeatureParts {
    /// An R*Tree with the columns of `items` for its dimensions, each of which is a point.
    private struct Tree {
        let table: SpatialTable
        let columns: [String]
        /// The form in the Swift of the run.
        let swift: String

        var bounds: [(minimum: String, maximum: String)] { columns.map { ($0, $0) } }

        var swiftOfTriggers: String {
            let pairs = columns.map { "(\"\($0)\", \"\($0)\")" }.joined(separator: ", ")
            return "try $0.createTriggers(for: \(table.name), following: \"items\", bounds: [\(pairs)])"
        }

        /// The coordinates of a row; `nil` for one that has no entry.
        func point(_ row: ItemRow) -> [Double]? {
            let numbers = columns.map { $0 == "part" ? row.part : row.code }
            let known = numbers.compactMap { $0.map { Double($0) } }
            return known.count == numbers.count ? known : nil
        }
    }

    private let trees: [Tree]
    /// The name of a spatial function; `nil` where none is added.
    private let function: String?

    init(_ suffix: String) {
        let name = "boxes_\(suffix)"
        function = nil
        trees = [
            Tree(
                table: SpatialTable(name, dimensions: SpatialDimension("low", "high")), columns: ["part"],
                swift: "SpatialTable(\"\(name)\", dimensions: SpatialDimension(\"low\", \"high\"))")
        ]
    }

    private init(_ suffix: String, _ trees: [Tree]) { (self.trees, function) = (trees, "inside_\(suffix)") }

    /// Two R*Trees of one table: one of integers, with NULL in a coordinate of some rows, another name of the key and an auxiliary
    /// column, and one of three dimensions.
    static func integer(_ suffix: String) -> SpatialFeature {
        let (places, cubes) = ("places_\(suffix)", "cubes_\(suffix)")
        return SpatialFeature(
            suffix,
            [
                Tree(
                    table: SpatialTable(
                        places, key: "number", dimensions: "part", "code", coordinates: .integer, auxiliary: ["label"]),
                    columns: ["part", "code"],
                    swift:
                        "SpatialTable(\"\(places)\", key: \"number\", dimensions: \"part\", \"code\", coordinates: .integer, auxiliary: [\"label\"])"
                ),
                Tree(
                    table: SpatialTable(cubes, dimensions: "x", "y", "z"), columns: ["part", "code", "part"],
                    swift: "SpatialTable(\"\(cubes)\", dimensions: \"x\", \"y\", \"z\")"),
            ])
    }

    /// Whether a tree has the value of a column.
    func follows(_ column: String) -> Bool { column == "id" || trees.contains { $0.columns.contains(column) } }

    func configure(_ settings: inout WorldSettings) {
        guard let function else { return }
        settings.preparations.append { connection in
            try connection.addSpatialFunction(function) { (first: Double, last: Double) in
                let range = SpatialBox(first...last)
                return { candidate in
                    let sides = candidate.box[0]
                    if !SpatialBox(sides.minimum...sides.maximum).overlaps(range) { return .outside }
                    return range.contains(SpatialBox(sides.minimum...sides.maximum)) ? .inside : .partlyInside
                }
            }
        }
    }

    func setUp(_ world: World) throws {
        for tree in trees {
            world.log(
                """
                let \(tree.table.name) = \(tree.swift)
                try db.blocking.write { try $0.create(\(tree.table.name)); \(tree.swiftOfTriggers) }
                """)
            try world.database.blocking.write { connection in
                try connection.create(tree.table)
                try connection.createTriggers(for: tree.table, following: "items", bounds: tree.bounds)
            }
        }
    }

    var swift: FeatureSwift {
        FeatureSwift(expectations: trees.map { "#expect(try c.integrityCheck(of: \($0.table.name)).isEmpty)" })
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        let tree = dice.choice(of: trees)
        world.log("try db.blocking.write { \(tree.swiftOfTriggers) }")
        try world.database.blocking.write {
            try $0.createTriggers(for: tree.table, following: "items", bounds: tree.bounds)
        }
        try world.check()
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {
        for tree in trees { try check(tree, connection, model) }
    }

    private func check(_ tree: Tree, _ connection: Connection, _ model: Model) throws {
        let table = tree.table
        let problems = try connection.integrityCheck(of: table)
        try require(problems.isEmpty, "rtreecheck: \(problems)")
        let entries = try connection.entries(of: table)
        let found = entries.map { entry in
            "\(entry.id) \((0..<entry.box.dimensionCount).map { entry.box[$0].minimum }) \(entry.auxiliary)"
        }
        let nulls = table.auxiliary.map { _ in BindingValue.null }
        let expected = model.rows.compactMap { row in tree.point(row).map { "\(row.id) \($0) \(nulls)" } }
        try require(found.sorted(), equals: expected.sorted(), "entries of \(table.name)")
        for part in 0..<3 {
            let ranges = tree.columns.map { $0 == "part" ? Double(part)...Double(part) : 0...1_000_000 }
            let box = SpatialBox(ranges)
            let ids = model.rows.filter { $0.part == part && tree.point($0) != nil }.map(\.id)
            var conditions = [table.within(box), table.overlapping(box)]
            if let function { conditions.append(table.matching(function, Double(part), Double(part))) }
            for condition in conditions {
                let found = try connection.entries(condition).map(\.id).sorted()
                try require(found == ids, "\(table.name) has \(found) in \(part), not \(ids)")
            }
        }
    }
}
