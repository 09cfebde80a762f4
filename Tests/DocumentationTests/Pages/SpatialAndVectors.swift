// swift-format-ignore-file
import Foundation
import Squall
import SquallSearch
import SquallSQLite
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Places and vectors".
private struct Place: TableRecord {
    let id: Int64?
    let name: String
    let kind: String
    let longitude: Double
    let latitude: Double

    static let table = Table("places", Place.init) {
        Column("id", \Place.id, .primaryKey)
        Column("name", \Place.name)
        Column("kind", \Place.kind)
        Column("longitude", \Place.longitude)
        Column("latitude", \Place.latitude)
    }
}

private enum Notes {
    struct Note: TableRecord {
        let id: Int64?
        let text: String
        let embedding: [Float]

        static let table = Table("notes", Note.init) {
            Column("id", \Note.id, .primaryKey)
            Column("text", \Note.text)
            Column("embedding", \Note.embedding)
        }
    }
}

/// Stands for the entry point of a linked extension.
private let sqlite3_vec_init: Connection.ExtensionEntryPoint = { _, _, _ in SQLITE_OK }

struct SpatialAndVectorsSnippets {
    @Test(.enabled(if: SQLiteLibrary.has("ENABLE_RTREE"))) func places() throws {
        let connection = try Connection(":memory:")
        let boxes = SpatialTable("boxes", dimensions: "x", "y")
        try connection.create(boxes)
        try connection.insert(SpatialBox(13.0...13.8, 52.3...52.7), id: 1, into: boxes)
        let map = SpatialBox(13.3...13.5, 52.4...52.6)
        let visible = try connection.entries(boxes.overlapping(map))
        print(visible.map(\.id), visible.map(\.box))
        #expect(visible.map(\.id) == [1])

        try connection.create(Place.table)
        try connection.insert(Place(id: 1, name: "a", kind: "café", longitude: 13.4, latitude: 52.5))
        try connection.insert(Place(id: 2, name: "b", kind: "bar", longitude: 13.4, latitude: 52.55))
        try connection.createTriggers(
            for: boxes, following: "places",
            bounds: [("longitude", "longitude"), ("latitude", "latitude")])
        let names: [String] = try connection.query("""
            SELECT name FROM places JOIN \(boxes) ON boxes.id = places.id
            WHERE \(boxes.within(map)) ORDER BY name
            """)
        let cafes = try connection.all(
            Place.where { $0.id.isIn(boxes.within(map)) && $0.kind == "café" })
        #expect(names == ["a", "b"])
        #expect(cafes.map(\.id) == [1])

        try connection.addSpatialFunction("circle") {
            (x: Double, y: Double, radius: Double) in
            let centre = SpatialBox.point(x, y)
            return { candidate in
                if candidate.box.distance(to: centre) > radius { return .outside }
                let farthest = candidate.box.greatestDistance(to: centre)
                return farthest <= radius ? .inside : .partlyInside
            }
        }
        let near = try connection.entries(boxes.matching("circle", 13.4, 52.5, 0.1))
        #expect(Set(near.map(\.id)) == [1, 2])

        try connection.addSpatialFunction("near") { (x: Double, y: Double) in
            let centre = SpatialBox.point(x, y)
            return { .partlyInside(score: $0.box.distance(to: centre)) }
        }
        let nearest = try connection.entries(boxes.matching("near", 13.4, 52.5), limit: 10)
        #expect(nearest.map(\.id) == [1, 2])
    }

    @Test func vectors() throws {
        typealias Note = Notes.Note
        let connection = try Connection(":memory:")
        try connection.create(Note.table)
        try connection.insert(Note(id: 1, text: "a", embedding: [1, 0]))
        try connection.insert(Note(id: 2, text: "b", embedding: [0, 1]))
        let query: [Float] = [0, 2]
        try connection.addVectorFunctions()
        let found = try connection.all(
            Note.order { $0.embedding.distance(to: query, .cosine).ascending }.limit(10))
        let ids: [Int] = try connection.query("""
            SELECT id FROM notes ORDER BY vec_distance_l2(embedding, \(query)) LIMIT 10
            """)
        #expect(found.map(\.id) == [2, 1])
        #expect(ids == [2, 1])
    }

    @Test func extensions() throws {
        let path = try TemporaryDirectory().file("a.db")
        #expect(throws: SQLiteError.self) {
            let database = try Database(path, preparation: { connection in
                try connection.loadExtension("/usr/lib/sqlite3/vec0")
            })
            try database.blocking.read { try $0.run("SELECT vec_version()") }
            throw SQLiteError(code: 1, message: "it is installed")
        }
        try Connection.register(automatic: sqlite3_vec_init)
        #expect(Connection.cancel(automatic: sqlite3_vec_init))
    }
}
