import Squall
import SquallSearch
import Testing

/// Typed queries with distances of vectors.
struct VectorQueryTests {
    private struct Note: TableRecord, Equatable {
        let id: Int64?
        let embedding: [Float]
        let summary: [Float]?

        static let table = Table("notes", Note.init) {
            Column("id", \Note.id, .primaryKey)
            Column("embedding", \Note.embedding)
            Column("summary", \Note.summary)
        }
    }

    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.addVectorFunctions()
        try connection.create(Note.table)
        try connection.insert(contentsOf: [
            Note(id: 1, embedding: [0, 0], summary: nil), Note(id: 2, embedding: [3, 4], summary: [1, 0]),
            Note(id: 3, embedding: [1, 1], summary: [0, 1]),
        ])
    }

    @Test func aColumnOfVectorsIsABlob() throws {
        let sql: String = try connection.query("SELECT sql FROM sqlite_schema WHERE name = 'notes'")
        #expect(sql.contains(#""embedding" BLOB NOT NULL, "summary" BLOB"#), "\(sql)")
        #expect(try connection.find(Note.self, 2) == Note(id: 2, embedding: [3, 4], summary: [1, 0]))
        let vector: [Float] = [3, 4]
        #expect(try connection.all(Note.self) { $0.embedding == vector }.map(\.id) == [2])
    }

    @Test func theNearestRecordsAreAnOrderAndALimit() throws {
        let vector: [Float] = [2, 2]
        let query = Note.order { $0.embedding.distance(to: vector).ascending }.limit(2)
        #expect(query.sql.text.contains(#"ORDER BY vec_distance_l2("notes"."embedding", ?)"#), "\(query.sql.text)")
        #expect(try connection.all(query).map(\.id) == [3, 2])
        let distances = try connection.all(Note.order { $0.id }.select { ($0.id, $0.embedding.distance(to: [0, 0])) })
        #expect(distances.map(\.1) == [0, 5, 2.0.squareRoot()])
        let near = try connection.all(Note.self) { $0.embedding.distance(to: vector) < 1.5 }
        #expect(near.map(\.id) == [3])
    }

    @Test func otherMetricsAndColumnsAreCompared() throws {
        let vector: [Float] = [1, 0]
        let dot = Note.order { $0.embedding.distance(to: vector, .dot).ascending }.select { $0.id }
        #expect(try connection.all(dot) == [2, 3, 1])
        let cosine = Note.order { $0.summary.distance(to: vector, .cosine).ascending.nullsLast }.select { $0.id }
        #expect(try connection.all(cosine) == [2, 3, 1])
        let pairs = Note.select { $0.embedding.distance(to: $0.embedding) }
        #expect(try connection.all(pairs) == [0, 0, 0])
    }
}
