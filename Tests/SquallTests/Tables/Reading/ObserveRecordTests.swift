import Foundation
import SquallTestSupport
import Testing

@testable import Squall

/// A record that is observed by its key.
struct ObserveRecordTests {
    private struct Car: TableRecord, Equatable {
        let id: Int64
        let name: String
        let price: Int?

        static let table = Table("cars", Car.init) {
            Column("id", \Car.id, .primaryKey)
            Column("name", \Car.name)
            Column("price", \Car.price)
        }
    }

    /// The key is the rowid: a change of another row is not noticed.
    @Test(.enabled(if: SQLiteFeatures.preUpdateHook)) func aRowID() async throws {
        let cars = try ObservedDatabase()
        let log = Shared([] as [String])
        let token = cars.database.addTraceObserver(mask: Connection.TraceEvent.statementMask) { event in
            guard case .statement(_, let sql) = event, sql.hasPrefix("SELECT \"") else { return }
            log.update { $0.append(sql) }
        }
        var values = cars.database.observe(Car.self, 2).makeAsyncIterator()
        #expect(try await values.next() == Car(id: 2, name: "Skoda", price: 9_000))
        let select = #"SELECT "cars"."id", "cars"."name", "cars"."price" FROM "cars" WHERE "cars"."id" = ?"#
        #expect(log.value == [select])
        try cars.write("UPDATE cars SET price = 1 WHERE id <> 2; DELETE FROM cars WHERE id = 1")
        #expect(cars.phase == .watching)
        try cars.write("UPDATE cars SET price = 1 WHERE id = 2")
        #expect(try await values.next() == Car(id: 2, name: "Skoda", price: 1))
        try cars.write("DELETE FROM cars WHERE id = 2")
        #expect(try await values.next() == .some(nil))
        try cars.write("INSERT INTO cars VALUES(2, 'Seat', NULL)")
        #expect(try await values.next() == Car(id: 2, name: "Seat", price: nil))
        #expect(log.value == [select, select, select, select])
        token.cancel()
    }

    private struct Seat: TableRecord, Equatable {
        let row: Int
        let letter: String
        let guest: String?

        static let table = Table("seats", Seat.init) {
            Column("row", \Seat.row, .primaryKey)
            Column("letter", \Seat.letter, .primaryKey)
            Column("guest", \Seat.guest)
        }
    }

    @Test func aCompositeKey() async throws {
        let cars = try ObservedDatabase(
            """
            CREATE TABLE seats("row" INTEGER, letter TEXT, guest TEXT, PRIMARY KEY("row", letter)) WITHOUT ROWID;
            INSERT INTO seats VALUES(1, 'A', 'Ada'), (1, 'B', 'Bo')
            """)
        var values = cars.database.observe(Seat.self, 1, "B", coalescing: .milliseconds(1)).makeAsyncIterator()
        #expect(try await values.next() == Seat(row: 1, letter: "B", guest: "Bo"))
        try cars.write("UPDATE seats SET guest = 'Cy' WHERE letter = 'B'")
        #expect(try await values.next() == Seat(row: 1, letter: "B", guest: "Cy"))
    }

    private struct Note: TableRecord, Equatable {
        let id: UUID
        let day: Date
        let text: String

        static let table = Table("notes", Note.init) {
            Column("id", \Note.id, as: .lowercaseText, .primaryKey)
            Column("day", \Note.day, as: .unixMilliseconds, .primaryKey)
            Column("text", \Note.text)
        }
    }

    /// The values of the key are in the forms of their columns.
    @Test func aKeyWithForms() async throws {
        let cars = try ObservedDatabase()
        let note = Note(id: UUID(), day: Date(timeIntervalSince1970: 1.5), text: "one")
        try await cars.database.write { connection in
            try connection.create(Note.table)
            try connection.insert(note)
        }
        var values = cars.database.observe(Note.self, note.id, note.day).makeAsyncIterator()
        #expect(try await values.next() == note)
        try cars.write("UPDATE notes SET text = 'two'")
        #expect(try await values.next() == Note(id: note.id, day: note.day, text: "two"))
    }

    @Test func aKeyThatDoesNotFitTheTable() async throws {
        let cars = try ObservedDatabase()
        var surplus = cars.database.observe(Car.self, 2, 3).makeAsyncIterator()
        let error = await #expect(throws: SQLiteError.self) { try await surplus.next() }
        #expect(error?.problem(TableProblem.self) == .keyCount(columns: ["id"], given: 2))
        #expect(try await surplus.next() == nil)
        var wrong = cars.database.observe(Seat.self, 1, 2).makeAsyncIterator()
        let other = await #expect(throws: SQLiteError.self) { try await wrong.next() }
        #expect(
            other?.problem(TableProblem.self) == .keyType(column: "letter", expected: "String", found: "Int"))
    }

    /// No row has NULL as its key.
    @Test func aKeyThatIsNil() async throws {
        let cars = try ObservedDatabase()
        try await cars.database.write { try $0.create(User.table) }
        var values = cars.database.observe(User.self, nil).makeAsyncIterator()
        #expect(try await values.next() == .some(nil))
    }

    @Test func itEndsWithTheDatabase() async throws {
        let cars = try ObservedDatabase()
        var values = cars.database.observe(Car.self, 2).makeAsyncIterator()
        #expect(try await values.next()??.name == "Skoda")
        try await cars.database.close()
        #expect(try await values.next() == nil)
    }

    @Test func theTypeTellsWhetherValuesAreCompared() {
        #expect(Equality<Int?>.ifEquatable(.always).use == .always)
        #expect(Equality<[Car]>.ifEquatable(.afterUnknownChanges).use == .afterUnknownChanges)
        #expect(Equality<(Int, Int)>.ifEquatable(.always).use == .never)
        let equality = Equality<Int?>.ifEquatable(.always)
        #expect(equality.areEqual(nil, nil) && equality.areEqual(1, 1))
        #expect(!equality.areEqual(nil, 1) && !equality.areEqual(1, nil) && !equality.areEqual(1, 2))
    }
}
