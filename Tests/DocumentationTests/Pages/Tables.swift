// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

struct TablesPage {
    struct Person: TableRecord, Equatable {
        let id: Int64?
        let name: String
        let email: String?

        static let table = Table("people", Person.init) {
            Column("id", \Person.id, .primaryKey)
            Column("name", \Person.name)
            Column("email", \Person.email, .unique, .collate("NOCASE"))
        }
    }

    struct Room: TableRecord, Equatable {
        let building: String
        let number: Int
        let seats: Int
        let equipment: [String]

        static let table = Table("rooms", Room.init, .strict, .withoutRowID) {
            Column("building", \Room.building, .primaryKey)
            Column("number", \Room.number, .primaryKey)
            Column("seats", \Room.seats, .check("seats > 0"))
            Column("equipment", \Room.equipment, as: .json)
        }
    }

    public struct Song: TableRecord, Sendable {
        public let id: Int64?
        public let title: String

        public init(id: Int64?, title: String) {
            self.id = id
            self.title = title
        }

        public static let table = Table("songs", Song.init) {
            Column("id", \Song.id, .primaryKey)
            Column("title", \Song.title)
        }
    }

    @Test func aRecordOfALibrary() async throws {
        let database = try Database(storageLocation: .inMemory)
        let song = try await database.write { connection in
            try connection.create(Song.table)
            return try connection.insertReturning(Song(id: nil, title: "Yesterday"))
        }
        #expect(song.id == 1 && song.title == "Yesterday")
        // A `public` record of another module.
        let other = try await database.write { connection in
            try connection.insert(into: "songs", ["title": "So What"])
            try connection.execute("ALTER TABLE songs ADD COLUMN genre TEXT NOT NULL DEFAULT 'jazz'")
            return try connection.all(PublicSong.self)
        }
        #expect(other.map(\.genre) == [.jazz, .jazz])
        #expect(try await database.read { try $0.first(PublicSong.self) { $0.genre == .jazz } } == other[0])
    }

    enum Kind: String, Binding, Equatable { case meeting, talk }

    struct Booking: TableRecord, Equatable {
        let id: Int64?
        let building: String
        let room: Int
        let host: Int64
        let day: Date
        var kind: Kind
        var hours: Int
        var minutes: Int = 0

        static let inRoom = TableOption.foreignKey(
            "building", "room", references: "rooms", ["building", "number"])
        static let person = Relation(\Booking.host, to: \Person.id)
        static let guests = Relation(
            \Booking.id, through: \Guest.booking, \Guest.person, to: \Person.id)

        static let table = Table(
            "bookings", Booking.init, inRoom, .foreignKey(person, onDelete: .cascade),
            .unique("building", "room", "day"),
            .index("bookings_host", on: "host", "day")
        ) {
            Column("id", \Booking.id, .primaryKey(autoincrement: true))
            Column("building", \Booking.building)
            Column("room", \Booking.room)
            Column("host", \Booking.host)
            Column("day", \Booking.day)
            Column("kind", \Booking.kind, .default(.meeting))
            Column("hours", \Booking.hours, .check("hours BETWEEN 1 AND 12"))
            Column("minutes", \Booking.minutes, .generated("hours * 60"))
        }
    }

    struct Guest: TableRecord {
        let booking: Int64
        let person: Int64

        static let table = Table(
            "guests", Guest.init, .withoutRowID,
            .foreignKey("booking", references: "bookings", ["id"], onDelete: .cascade),
            .foreignKey("person", references: "people", ["id"], onDelete: .cascade)
        ) {
            Column("booking", \Guest.booking, .primaryKey)
            Column("person", \Guest.person, .primaryKey)
        }
    }

    struct Point: Initializable, Equatable { var x = 0; var y = 0; var label: String? }

    @Test func records() throws {
        let connection = try Connection(":memory:")
        let day = Date(timeIntervalSince1970: 1_800_000_000)
        try connection.create(Person.table)                 // with its indexes
        try connection.create(Room.table)
        try connection.create(Booking.table)
        try connection.create(Guest.table)

        let ada = try connection.insert(Person(id: nil, name: "Ada", email: "ada@b.org"))
        try connection.insert(Room(building: "A", number: 12, seats: 4, equipment: []))
        var booking = try connection.insertReturning(
            Booking(
                id: nil, building: "A", room: 12, host: ada, day: day, kind: .talk,
                hours: 2))
        print(booking.minutes)                              // 120

        let room = try connection.find(Room.self, "A", 12)  // a key of two columns
        booking.hours = 3
        try connection.update(booking, \.hours)             // without \.hours: all columns
        let long = try connection.all(Booking.self) { $0.minutes > 120 && $0.kind == .talk }
        let host = try connection.first(Booking.person, of: booking)        // Person?
        #expect(room?.seats == 4 && booking.minutes == 120 && long.map(\.hours) == [3] && host?.name == "Ada")

        let bo = try connection.insert(Person(id: nil, name: "Bo", email: nil))
        try connection.insert(Guest(booking: booking.id!, person: bo))
        #expect(try connection.all(Booking.guests, of: booking).map(\.name) == ["Bo"])
        #expect(try sqliteError { try connection.delete(Room.self) { _ in "TRUE" } }.extendedResultCode == .constraintForeignKey)
        #expect(try connection.count(Person.self) { $0.email == "ADA@B.org" } == 1)
        #expect(throws: SQLiteError.self) { try connection.update(Person(id: nil, name: "x", email: nil)) }
        #expect(try connection.update(Person(id: 99, name: "x", email: nil)) == false)
        try connection.delete(Person.self) { $0.id == ada }
        #expect(try connection.count(Booking.self) == 0 && connection.count(Guest.self) == 0)

        #expect(Person.table.createSQL.text == #"CREATE TABLE "people"("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "email" TEXT UNIQUE COLLATE "NOCASE")"#)
        #expect(Room.table.createSQL.text == #"CREATE TABLE "rooms"("building" TEXT NOT NULL, "number" INTEGER NOT NULL, "seats" INTEGER NOT NULL CHECK (seats > 0), "equipment" TEXT NOT NULL, PRIMARY KEY ("building", "number")) STRICT, WITHOUT ROWID"#)
        #expect(Booking.table.createSQL.text.contains(#""minutes" INTEGER NOT NULL GENERATED ALWAYS AS (hours * 60) VIRTUAL"#))
        #expect(Booking.table.createSQL.text.contains(#"FOREIGN KEY ("building", "room") REFERENCES "rooms"("building", "number")"#))
    }

    struct Swapped: TableRecord {
        let first: String
        let last: String

        static let table = Table("swapped", Swapped.init) {
            Column("first", \Swapped.last)
            Column("last", \Swapped.first)
        }
    }

    @Test func others() throws {
        let connection = try Connection(":memory:")
        let points = Table("points", Point.self) {
            Column("x", \Point.x, .primaryKey)
            Column("y", \Point.y, .primaryKey)
            Column("label", \Point.label)
        }
        try connection.create(points)
        try connection.table(points).insert(Point(x: 1, y: 2, label: "here"))
        let here = try connection.table(points).find(1, 2)
        let right = try connection.table(points).all { $0.x > 0 }
        #expect(here == Point(x: 1, y: 2, label: "here") && right.count == 1)

        let schema = Schema("rooms") {
            Version(1) {
                CreateTable("people") {
                    ColumnDef("id", Int64.self, .primaryKey)
                    ColumnDef("name", String.self)
                }
            }
        }
        let drift = try schema.drift(from: Person.table)
        print(drift)
        // AlterTable("people") {
        //     AddColumn("email", sql: "TEXT UNIQUE COLLATE \"NOCASE\"")
        // }
        #expect(drift.description == #"""
            AlterTable("people") {
                AddColumn("email", sql: "TEXT UNIQUE COLLATE \"NOCASE\"")
            }
            """#)
        let error = try sqliteError { try connection.create(Swapped.table) }
        #expect(error.message == #"the columns of the table "swapped" are not in the order of the initialiser: "first" gets the value of "last""#)
    }
}
