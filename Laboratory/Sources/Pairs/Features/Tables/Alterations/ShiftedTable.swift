import Squall

/// A table whose columns before others come and go for good, and a view of it that is defined anew with another column.
///
/// Observers of one column each stay over these changes, and must be told of each later commit.
final class ShiftedTable {
    private static let observed = ["first", "second", "third"]

    private let suffix: String
    /// The columns after the key, in their order.
    private var columns = observed
    private var viewed = observed[0]
    private var reads: ObservedReads?
    private var number = 0

    init(_ suffix: String) { self.suffix = suffix }

    var name: String { "shifted_\(suffix)" }
    private var view: String { "\(name)_view" }

    private var definition: String {
        "(id INTEGER PRIMARY KEY, \(columns.map { "\($0) TEXT" }.joined(separator: ", ")))"
    }

    private var viewDefinition: String { "CREATE VIEW \(view) AS SELECT id, \(viewed) AS v FROM \(name)" }

    func setUp(_ world: World) throws {
        let rows = "INSERT INTO \(name) VALUES(1, 'a', 'b', 'c'), (2, 'd', 'e', 'f')"
        try write("CREATE TABLE \(name)\(definition); \(rows); \(viewDefinition)", world)
    }

    private func write(_ sql: String, _ world: World) throws {
        world.log("try db.blocking.write { try $0.execute(\"\(sql)\") }")
        try world.database.blocking.write { try $0.execute("\(raw: sql)") }
    }

    /// Shifts columns, and then changes one of them in several commits.
    func step(_ world: World, by author: any FeatureParts, _ dice: inout Dice) throws {
        number += 1
        let reads = reads ?? ObservedReads(.lasting, observedReads, [], seed: name)
        self.reads = reads
        try reads.check(world)
        try shift(world, &dice)
        let column = dice.choice(of: [viewed] + Self.observed)
        for commit in 1...3 {
            try write("UPDATE main.\(name) SET \(column) = 'new \(number) \(commit) ' || id", world)
            try reads.check(world)
        }
        // A history of all tables forgets the commits too.
        try world.commit(world.model, by: author, .migration)
    }

    private var observedReads: [ObjectRead] {
        Self.observed.map { ObjectRead("\($0) of \(name)", listing: "SELECT \($0) AS v FROM main.\(name)") } + [
            ObjectRead("the view \(view)", listing: "SELECT v FROM main.\(view)"),
            ObjectRead("a count of \(view)", "SELECT count(*) FROM main.\(view) WHERE v LIKE '%1'"),
            ObjectRead("second of a row of \(name)", column: "second", of: name, 1),
        ]
    }

    /// Drops a column before others, moves one to the end, or stores all in another order with others before them.
    private func shift(_ world: World, _ dice: inout Dice) throws {
        var schema = SchemaSteps()
        schema.execute("DROP VIEW \(view)")
        switch dice.number(below: 3) {
        case 0 where columns.count > Self.observed.count:
            let index = columns.firstIndex { !Self.observed.contains($0) } ?? 0
            let column = columns.remove(at: index)
            schema.alter(name, [(DropColumn(column), "DropColumn(\"\(column)\")")])
        case 1:
            let column = columns.remove(at: 0)
            columns.append(column)
            let sql = "TEXT DEFAULT 'again \(number)'"
            schema.alter(
                name,
                [
                    (DropColumn(column), "DropColumn(\"\(column)\")"),
                    (AddColumn(column, sql: "\(raw: sql)"), "AddColumn(\"\(column)\", sql: \"\(sql)\")"),
                ])
        default:
            let kept = columns.joined(separator: ", ")
            let rotated = Array(Self.observed[1...] + Self.observed[..<1])
            columns = columns.first == Self.observed[0] ? rotated : Self.observed
            columns.insert("front_\(number)", at: dice.number(below: 2))
            let old = "former_\(name)"
            let shared = kept.split(separator: ", ").filter { columns.contains(String($0)) }.joined(separator: ", ")
            schema.execute(
                """
                ALTER TABLE \(name) RENAME TO \(old); CREATE TABLE \(name)\(definition); \
                INSERT INTO \(name)(id, \(shared)) SELECT id, \(shared) FROM \(old); DROP TABLE \(old)
                """)
        }
        viewed = dice.choice(of: Self.observed)
        schema.execute(viewDefinition)
        world.log(
            """
            try db.blocking.migrate(Schema("\(name)_\(number)") { Version(1) {
            \(schema.swift.joined(separator: "\n"))
            } })
            """)
        let steps = schema.steps
        try world.database.blocking.migrate(
            Schema("\(name)_\(number)") { Version(1) { for step in steps { step } } })
    }

    private typealias SchemaSteps = Alteration.Steps

    func stop() {
        reads?.stop()
        reads = nil
    }
}
