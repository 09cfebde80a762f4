import SquallTestSupport
import Testing

@testable import Squall

/// Values of a closure, now and after each change that concerns it.
@Suite(.timeLimit(.minutes(10)))
struct ObservedValuesTests {
    let cars: ObservedDatabase
    var database: Database { cars.database }

    init() throws {
        cars = try ObservedDatabase()
    }

    @Test func theValueNowAndAfterEachChange() async throws {
        let names = database.observe {
            try $0.query("SELECT name FROM cars WHERE price > 20000 ORDER BY id") as [String]
        }
        var iterator = names.makeAsyncIterator()
        #expect(try await iterator.next() == ["Audi", "Volvo"])
        try await database.write { try $0.run("UPDATE cars SET price = 30000 WHERE id = 2") }
        #expect(try await iterator.next() == ["Audi", "Skoda", "Volvo"])
        try await database.write { try $0.run("DELETE FROM cars WHERE id = 1") }
        #expect(try await iterator.next() == ["Skoda", "Volvo"])
    }

    @Test func aQuery() async throws {
        var counts = database.observe("SELECT count(*) FROM cars", as: Int.self).makeAsyncIterator()
        #expect(try await counts.next() == 3)
        try await database.write { try $0.run("INSERT INTO cars(name) VALUES('Fiat')") }
        #expect(try await counts.next() == 4)
    }

    /// Its value cannot be compared, or repetitions are to be left out.
    @Test func theFormsOfAQuery() async throws {
        struct Car: ExpressibleByRow, Sendable {
            let name: String, price: Double?

            init(row: Row) throws {
                name = try row.get("name")
                price = try row.get("price")
            }
        }
        var rows = database.observe("SELECT * FROM cars WHERE id = 1", as: [Car].self).makeAsyncIterator()
        #expect(try await rows.next()?.first?.name == "Audi")
        var names = database.observe("SELECT name FROM cars WHERE id = 1", as: String.self, removingDuplicates: true)
            .makeAsyncIterator()
        #expect(try await names.next() == "Audi")
        try await database.write { try $0.run("UPDATE cars SET price = 1 WHERE id = 1") }
        #expect(try await rows.next()?.first?.price == 1)
        try await database.write { try $0.run("UPDATE cars SET name = 'Fiat' WHERE id = 1") }
        #expect(try await names.next() == "Fiat")
    }

    @Test func aDatabaseInMemory() async throws {
        let database = try Database(":memory:")
        try await database.writeWithoutTransaction { try $0.execute(ObservedDatabase.tables) }
        var counts = database.observe("SELECT count(*) FROM cars", as: Int.self).makeAsyncIterator()
        #expect(try await counts.next() == 3)
        try await database.write { try $0.run("DELETE FROM cars WHERE id = 1") }
        #expect(try await counts.next() == 2)
    }

    @Test func aSlowConsumerGetsTheLatestValue() async throws {
        let fetches = Shared(0)
        var counts = database.observe { connection in
            _ = fetches.next()
            return try connection.query("SELECT count(*) FROM cars") as Int
        }.makeAsyncIterator()
        #expect(try await counts.next() == 3)
        for _ in 1...100 { try await database.write { try $0.run("INSERT INTO cars(name) VALUES('Fiat')") } }
        #expect(try await counts.next() == 103)
        #expect(fetches.value == 2)
    }

    /// The writer commits as fast as it can. The values only grow, and the last one arrives.
    @Test func manyCommits() async throws {
        let counts = Follower(database.observe("SELECT count(*) FROM cars", as: Int.self)) { $0 == 2003 }
        for _ in 1...2000 { try await database.write { try $0.run("INSERT INTO cars(name) VALUES('Fiat')") } }
        let values = try await counts.values()
        #expect(values.last == 2003)
        #expect(values == values.sorted())
    }

    /// In a process of its own, because its memory is measured.
    @Test func theMemoryStaysFlat() throws {
        let count = Sanitizers.areInUse ? 5_000 : 20_000
        let process = try TestProcess(["observe", cars.directory.file("observed.db"), "\(count)"])
        let (output, code) = try process.end()
        #expect(code == 0)
        let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 6)
        #expect(numbers.dropLast() == [count, count, count, count, count])
        // The sanitizers keep released memory.
        if !Sanitizers.areInUse { #expect(numbers[5] < 8192) }
    }

    @Test func duplicates() async throws {
        let totals = { (removes: Bool) in
            database.observe(removingDuplicates: removes) { try $0.query("SELECT sum(price) FROM cars") as Int }
        }
        var (some, all) = (totals(true).makeAsyncIterator(), totals(false).makeAsyncIterator())
        #expect(try await some.next() == 88_000)
        #expect(try await all.next() == 88_000)
        try cars.write("UPDATE cars SET price = 10000 WHERE id = 2; UPDATE cars SET price = 9000 WHERE id = 2")
        #expect(try await all.next() == 88_000)
        async let next = some.next()
        try await database.write { try $0.run("DELETE FROM cars WHERE id = 1") }
        #expect(try await next == 38_000)
    }

    @Test func aChangeWaitsForFurtherChanges() async throws {
        let fetches = Shared(0)
        let counts = { (coalescing: Duration) in
            database.observe(coalescing: coalescing) { connection in
                _ = fetches.next()
                return try connection.query("SELECT count(*) FROM cars") as Int
            }
        }
        var soon = counts(.milliseconds(1)).makeAsyncIterator()
        #expect(try await soon.next() == 3)
        try await database.write { try $0.run("INSERT INTO cars(name) VALUES('Fiat')") }
        #expect(try await soon.next() == 4)
        #expect(fetches.value == 2)
        var late = counts(.seconds(3600)).makeAsyncIterator()
        #expect(try await late.next() == 4)
        try await database.write { try $0.run("INSERT INTO cars(name) VALUES('Seat')") }
        // Closing the database ends the wait at once.
        async let next = late.next()
        try await database.close()
        #expect(try await next == nil)
        #expect(fetches.value == 3)
    }

    /// What a closure reads may change each time.
    @Test func aRegionThatDiffers() async throws {
        var values = database.observe { connection -> Int in
            let count: Int = try connection.query("SELECT count(*) FROM cars")
            return count > 3 ? try connection.query("SELECT count(*) FROM orders") : -count
        }.makeAsyncIterator()
        #expect(try await values.next() == -3)
        try cars.write("INSERT INTO orders(car) VALUES(1)")
        #expect(cars.phase == .watching)
        try cars.write("INSERT INTO cars(name) VALUES('Fiat')")
        #expect(try await values.next() == 1)
        try cars.write("INSERT INTO orders(car) VALUES(2)")
        #expect(try await values.next() == 2)
    }

    /// The first value of an observer that begins during a long write comes before that write ends, and the write is seen.
    @Test func anObserverThatBeginsDuringAWrite() async throws {
        let write = await HeldWrite("INSERT INTO cars(name) VALUES('Fiat')", to: database)
        var counts = database.observe("SELECT count(*) FROM cars", as: Int.self).makeAsyncIterator()
        #expect(try await counts.next() == 3)
        try blocking { try write.commit() }
        #expect(try await counts.next() == 4)
    }

    /// The changes of a transaction that was running when another observer began are not followed closely for it: the table is enough.
    @Test func anObserverThatBeginsDuringAFollowedWrite() async throws {
        var orders = database.observe("SELECT count(*) FROM orders", as: Int.self).makeAsyncIterator()
        #expect(try await orders.next() == 0)
        let write = await HeldWrite("UPDATE cars SET price = 1 WHERE id = 1", to: database)
        var prices = database.observe("SELECT sum(price) FROM cars", as: Int.self).makeAsyncIterator()
        #expect(try await prices.next() == 88_000)
        try blocking { try write.commit() }
        #expect(try await prices.next() == 38_001)
    }

    /// The transaction has made its first change before the virtual table was observed.
    @Test(.enabled(if: SQLiteFeatures.fullTextSearch)) func aVirtualTableThatIsObservedDuringAWrite() async throws {
        let cars = try ObservedDatabase("CREATE VIRTUAL TABLE f USING fts5(text)")
        var orders = cars.database.observe("SELECT count(*) FROM orders", as: Int.self).makeAsyncIterator()
        #expect(try await orders.next() == 0)
        let write = await HeldWrite(
            "UPDATE cars SET price = 1", to: cars.database, then: "INSERT INTO f VALUES('x')")
        var texts = cars.database.observe("SELECT text FROM f", as: [String].self).makeAsyncIterator()
        #expect(try await texts.next() == [])
        var changes = cars.database.changes(in: .table("f")).makeAsyncIterator()
        try blocking { try write.commit() }
        #expect(try await texts.next() == ["x"])
        #expect(await changes.next()?.tables == ["f"])
    }
}

// MARK: - Several observers

extension ObservedValuesTests {
    /// Twenty observers follow an import of 50,000 rows in transactions of 100. Each gets its last value.
    @Test func anImport() async throws {
        let counts = (0..<20).map { number in
            Follower(database.observe("SELECT count(*) FROM cars WHERE price % 20 = \(number)", as: Int.self)) {
                $0 == 2500
            }
        }
        for count in counts { await count.hasValue.passed() }
        try cars.write("DELETE FROM cars")
        for first in stride(from: 0, to: 50_000, by: 100) {
            try await database.write { connection in
                for price in first..<first + 100 { try connection.run("INSERT INTO cars(price) VALUES(?)", price) }
            }
        }
        for count in counts { #expect(try await count.values().last == 2500) }
    }

    /// While an observer reads its first value, a column changes that the observers before it do not read.
    @Test func aChangeDuringTheFirstFetch() async throws {
        var prices = database.observe("SELECT sum(price) FROM cars", as: Int.self).makeAsyncIterator()
        #expect(try await prices.next() == 88_000)
        let (read, mayReturn) = (Gate(), Gate())
        let observed = database.observe { connection -> [String] in
            let names: [String] = try connection.query("SELECT name FROM cars WHERE id = 1")
            read.open()
            mayReturn.wait()
            return names
        }
        let names = Follower(observed) { $0 == ["x"] }
        await read.passed()
        try await database.write { try $0.run("UPDATE cars SET name = 'x' WHERE id = 1") }
        mayReturn.open()
        #expect(try await names.values() == [["Audi"], ["x"]])
    }

    /// In a transaction that has already changed the column.
    @Test func anObserverOfAnotherColumnThatBeginsDuringAWrite() async throws {
        var prices = database.observe("SELECT sum(price) FROM cars", as: Int.self).makeAsyncIterator()
        #expect(try await prices.next() == 88_000)
        let write = await HeldWrite("UPDATE cars SET name = 'x' WHERE id = 1", to: database)
        var names = database.observe("SELECT name FROM cars WHERE id = 1", as: String.self).makeAsyncIterator()
        #expect(try await names.next() == "Audi")
        var changes = database.changes(in: .table("cars", columns: "name")).makeAsyncIterator()
        try blocking { try write.commit() }
        #expect(try await names.next() == "x")
        let change = try #require(await changes.next())
        #expect(change.tables == ["cars"])
        #expect(change.rowIDs("cars") == nil)
    }

    /// A database in memory has one connection, which is observed by both halves.
    @Test func observersOneAfterAnotherInMemory() async throws {
        let database = try Database(":memory:")
        try await database.writeWithoutTransaction { try $0.execute(ObservedDatabase.tables) }
        for number in 3...5 {
            var counts = database.observe("SELECT count(*) FROM cars", as: Int.self).makeAsyncIterator()
            #expect(try await counts.next() == number)
            try await database.write { try $0.run("INSERT INTO cars(name) VALUES('Fiat')") }
            #expect(try await counts.next() == number + 1)
        }
        var counts = database.observe("SELECT count(*) FROM orders", as: Int.self).makeAsyncIterator()
        #expect(try await counts.next() == 0)
        try await database.writeWithoutTransaction {
            try $0.execute("DROP TABLE orders; CREATE TABLE orders(a); INSERT INTO orders VALUES(1)")
        }
        #expect(try await counts.next() == 1)
    }

    /// After a change by another connection, equal values are left out if they can be compared.
    @Test func equalValuesAfterAChangeByAnotherConnection() async throws {
        let fetches = Shared(0)
        let observed = database.observe { connection in
            _ = fetches.next()
            return try connection.query("SELECT count(*) FROM cars") as Int
        }
        let counts = Follower(observed) { $0 == 4 }
        await counts.hasValue.passed()
        let other = try Connection(cars.directory.file("cars.db"))
        try other.run("INSERT INTO orders(car) VALUES(1)")
        await until { fetches.value == 2 }
        try other.run("INSERT INTO cars(name) VALUES('Fiat')")
        #expect(try await counts.values() == [3, 4])
    }
}

// MARK: - The end

extension ObservedValuesTests {
    @Test func itEndsWhenTheDatabaseIsClosed() async throws {
        let counts = database.observe("SELECT count(*) FROM cars", as: Int.self)
        let follower = Follower(counts)
        await follower.hasValue.passed()
        try await database.close()
        #expect(try await follower.values() == [3])
        var late = counts.makeAsyncIterator()
        #expect(try await late.next() == nil)
    }

    /// While observers begin and end.
    @Test func closingBesideObservers() async throws {
        for round in 0..<20 {
            let database = try Database(cars.directory.file("\(round).db"))
            try await database.write { try $0.execute("CREATE TABLE t(a)") }
            let observers = (0..<8).map { _ in
                Task {
                    while true {
                        var counts = database.observe("SELECT count(*) FROM t", as: Int.self).makeAsyncIterator()
                        guard try await counts.next() != nil else { return }
                    }
                }
            }
            for _ in 0..<round { try await database.write { try $0.run("INSERT INTO t VALUES(1)") } }
            try await database.close()
            for observer in observers { try await observer.value }
        }
    }

    @Test func itEndsWhenTheTaskIsCancelled() async throws {
        let counts = Follower(database.observe("SELECT count(*) FROM cars", as: Int.self))
        await counts.hasValue.passed()
        counts.cancel()
        #expect(try await counts.values() == [3])
    }

    @Test func itEndsWhenTheTaskIsCancelledDuringAFetch() async throws {
        let (read, mayReturn) = (Gate(), Gate())
        let observed = database.observe { connection in
            read.open()
            mayReturn.wait()
            return try connection.query("SELECT count(*) FROM cars") as Int
        }
        let counts = Follower(observed)
        await read.passed()
        counts.cancel()
        mayReturn.open()
        #expect(try await counts.values() == [])
    }

    @Test func itEndsWithTheError() async throws {
        var counts = database.observe { connection in
            let count: Int = try connection.query("SELECT count(*) FROM cars")
            if count == 4 { throw Failure() }
            return count
        }.makeAsyncIterator()
        #expect(try await counts.next() == 3)
        try cars.write("INSERT INTO cars(name) VALUES('Fiat')")
        await #expect(throws: Failure.self) { try await counts.next() }
        #expect(try await counts.next() == nil)
    }

    /// An iteration that is released no longer observes.
    @Test func aLoopThatIsLeft() async throws {
        for try await _ in database.observe("SELECT count(*) FROM cars", as: Int.self) { break }
        #expect(cars.phase == .ended)
        #expect(database.observationCenter.interest.interest == Interest())
    }

    @Test func itWaitsForTheEndOfASuspension() async throws {
        var counts = database.observe("SELECT count(*) FROM cars", as: Int.self).makeAsyncIterator()
        #expect(try await counts.next() == 3)
        try cars.write("INSERT INTO cars(name) VALUES('Fiat')")
        try await database.suspend()
        async let next = counts.next()
        try Connection(cars.directory.file("cars.db")).run("INSERT INTO cars(name) VALUES('Seat')")
        try await database.resume()
        #expect(try await next == 5)
    }

    /// Its monitor opens no file in the meantime.
    @Test func anotherProcessCanLockTheFileOfASuspendedDatabase() async throws {
        try cars.write("CREATE TABLE t(a)")
        var counts = database.observe("SELECT count(*) FROM t", as: Int.self).makeAsyncIterator()
        #expect(try await counts.next() == 0)
        try await database.suspend()
        for _ in 0..<20 {
            let output = try TestProcess(["exclusive", cars.directory.file("cars.db")]).end().output
            #expect(output == "done\n")
        }
        try await database.resume()
        #expect(try await counts.next() == 20)
    }

    private struct Failure: Error {}
}
