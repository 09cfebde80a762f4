import Squall
import SquallSearch

/// Vectors of the rows of `items`, which triggers make by a function of the program.
final class VectorFeature: FeatureParts {
    private let suffix: String

    init(_ suffix: String) { self.suffix = suffix }

    func shape(_ shape: inout TableShape) { shape.hasTriggers = true }

    func configure(_ settings: inout WorldSettings) {
        let name = "embedding_\(suffix)"
        settings.preparations.append { connection in
            try connection.addVectorFunctions()
            try connection.addFunction(name, deterministic: true, directOnly: false, innocuous: true) {
                (part: Int64, stars: Int64) in Self.vector(part, stars)
            }
        }
    }

    private static func vector(_ part: Int64, _ stars: Int64) -> [Float] { [Float(part), Float(stars % 100), 1] }

    private var statements: String {
        """
        CREATE TABLE vectors_\(suffix)(number INTEGER PRIMARY KEY, item, vector BLOB NOT NULL);
        INSERT INTO vectors_\(suffix)(item, vector) SELECT id, embedding_\(suffix)(part, stars) FROM items;
        CREATE TRIGGER vector_insert_\(suffix) AFTER INSERT ON items BEGIN
        INSERT INTO vectors_\(suffix)(item, vector) VALUES(new.id, embedding_\(suffix)(new.part, new.stars)); END;
        CREATE TRIGGER vector_update_\(suffix) AFTER UPDATE ON items BEGIN
        UPDATE vectors_\(suffix) SET item = new.id, vector = embedding_\(suffix)(new.part, new.stars) WHERE item = old.id; END;
        CREATE TRIGGER vector_delete_\(suffix) AFTER DELETE ON items BEGIN
        DELETE FROM vectors_\(suffix) WHERE item = old.id; END
        """
    }

    func setUp(_ world: World) throws {
        world.log(
            "try db.blocking.write { try $0.execute(#\"\"\"\n\(statements)\n\"\"\"#) }    // embedding() is of the program"
        )
        try world.database.blocking.write { try $0.execute("\(raw: statements)") }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        guard var row = dice.element(of: world.model.rows) else { return }
        row.stars = Int64(dice.number(below: 100))
        try world.write([.update(row, dice.once(in: 2) ? .record : .sql)], nil, &dice)
    }

    func traces(_ connection: Connection) throws -> String {
        try connection.query(
            """
            SELECT ifnull(group_concat(n), '')
            FROM (SELECT number || item || hex(vector) AS n FROM vectors_\(raw: suffix) ORDER BY number)
            """)
    }

    func check(_ connection: Connection, _ model: Model) throws {
        let count: Int = try connection.query("SELECT count(*) FROM vectors_\(raw: suffix)")
        try require(count == model.items.count, "\(count) of \(model.items.count) rows have a vector")
        let found: [String] = try connection.query(
            """
            SELECT part || ' ' || (stars % 100) FROM vectors_\(raw: suffix) JOIN items ON items.id = item
            ORDER BY vec_distance_l2(vector, \(Self.vector(1, 7))), part, stars % 100 LIMIT 4
            """)
        let nearest = model.rows.map { ($0.part, $0.stars % 100) }.sorted { left, right in
            func distance(_ point: (Int64, Int64)) -> Int64 {
                (point.0 - 1) * (point.0 - 1) + (point.1 - 7) * (point.1 - 7)
            }
            return (distance(left), left.0, left.1) < (distance(right), right.0, right.1)
        }
        try require(found, equals: nearest.prefix(4).map { "\($0) \($1)" }, "nearest vectors")
        let table = Table(
            "vectors_\(suffix)", VectorRecord.init, Column("number", \VectorRecord.number, .primaryKey),
            Column("vector", \VectorRecord.vector))
        let query = Self.vector(2, 5)
        let records = try connection.all(
            table.order { $0.vector.distance(to: query, VectorMetric.dot).ascending }.limit(4))
        let products = records.map { product($0.vector, query) }
        let expected = model.rows.map { product(Self.vector($0.part, $0.stars), query) }.sorted(by: >).prefix(4)
        try require(products == Array(expected), "the greatest products are \(products), not \(expected)")
        let line = Self.vector(0, 3)
        let turned = try connection.all(table.order { $0.vector.distance(to: line, VectorMetric.cosine).ascending })
        try checkAngles(turned.map(\.vector), to: line, model)
    }

    /// The vectors are in the order of their angles, but for the last digits.
    private func checkAngles(_ vectors: [[Float]], to line: [Float], _ model: Model) throws {
        let cosines = vectors.map { product($0, line) / (product($0, $0) * product(line, line)).squareRoot() }
        let isSorted = zip(cosines, cosines.dropFirst()).allSatisfy { $0 >= $1 - 1e-5 }
        try require(isSorted && cosines.count == model.items.count, "the order of the angles is that of \(cosines)")
    }

    private func product(_ left: [Float], _ right: [Float]) -> Float {
        zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    }
}

/// A vector as a record.
private struct VectorRecord: Sendable {
    let number: Int64
    let vector: [Float]
}
