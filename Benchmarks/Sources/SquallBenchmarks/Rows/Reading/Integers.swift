import GRDB
import Squall

// 200,000 rows of ten integers into an array of structs, by the numbers and by the names of the columns.

/// What the rows become; the three sides make the same.
struct Integers: Summable {
    var i0: Int, i1: Int, i2: Int, i3: Int, i4: Int, i5: Int, i6: Int, i7: Int, i8: Int, i9: Int

    static let sql = "SELECT i0, i1, i2, i3, i4, i5, i6, i7, i8, i9 FROM integers"

    func add(to sum: inout Checksum) {
        for value in [i0, i1, i2, i3, i4, i5, i6, i7, i8, i9] { sum.add(value) }
    }
}

extension Integers: FetchableRecord {
    init(row: GRDB.Row) {
        self.init(
            i0: row[0], i1: row[1], i2: row[2], i3: row[3], i4: row[4],
            i5: row[5], i6: row[6], i7: row[7], i8: row[8], i9: row[9]
        )
    }
}

extension Integers: ExpressibleByRow {
    init(row: Squall.Row) throws {
        self.init(
            i0: row[0], i1: row[1], i2: row[2], i3: row[3], i4: row[4],
            i5: row[5], i6: row[6], i7: row[7], i8: row[8], i9: row[9]
        )
    }
}

extension Integers {
    /// The same with `get`, which throws where the subscripts stop the program.
    init(getting row: Squall.Row) throws {
        self.init(
            i0: try row.get(0), i1: try row.get(1), i2: try row.get(2), i3: try row.get(3), i4: try row.get(4),
            i5: try row.get(5), i6: try row.get(6), i7: try row.get(7), i8: try row.get(8), i9: try row.get(9)
        )
    }
}

/// The same, read by the names of the columns.
struct NamedIntegers: Summable {
    var integers: Integers

    func add(to sum: inout Checksum) { integers.add(to: &sum) }
}

extension NamedIntegers: FetchableRecord {
    init(row: GRDB.Row) {
        integers = Integers(
            i0: row["i0"], i1: row["i1"], i2: row["i2"], i3: row["i3"], i4: row["i4"],
            i5: row["i5"], i6: row["i6"], i7: row["i7"], i8: row["i8"], i9: row["i9"]
        )
    }
}

extension NamedIntegers: ExpressibleByRow {
    init(row: Squall.Row) throws {
        integers = Integers(
            i0: row["i0"], i1: row["i1"], i2: row["i2"], i3: row["i3"], i4: row["i4"],
            i5: row["i5"], i6: row["i6"], i7: row["i7"], i8: row["i8"], i9: row["i9"]
        )
    }
}

extension CStatement {
    func integers() throws -> [Integers] {
        var rows: [Integers] = []
        try forEachRow {
            rows.append(
                Integers(
                    i0: integer(0), i1: integer(1), i2: integer(2), i3: integer(3), i4: integer(4),
                    i5: integer(5), i6: integer(6), i7: integer(7), i8: integer(8), i9: integer(9)
                )
            )
        }
        return rows
    }

    /// A C program looks the numbers of the columns up before the loop.
    func namedIntegers() throws -> [NamedIntegers] {
        let (i0, i1, i2, i3, i4) = try (column("i0"), column("i1"), column("i2"), column("i3"), column("i4"))
        let (i5, i6, i7, i8, i9) = try (column("i5"), column("i6"), column("i7"), column("i8"), column("i9"))
        var rows: [NamedIntegers] = []
        try forEachRow {
            let integers = Integers(
                i0: integer(i0), i1: integer(i1), i2: integer(i2), i3: integer(i3), i4: integer(i4),
                i5: integer(i5), i6: integer(i6), i7: integer(i7), i8: integer(i8), i9: integer(i9)
            )
            rows.append(NamedIntegers(integers: integers))
        }
        return rows
    }
}

extension Benchmark {
    static let integers = [
        Benchmark(name: "ints-positional", toC: 1.20, toGRDB: 0.75) { fixtures in
            let path = try fixtures.integers()
            let c = try CDatabase(path).prepare(Integers.sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { try c.integers() },
                .squall: Cell { () -> [Integers] in try squall.query("\(raw: Integers.sql)") },
                .grdb: Cell { try grdb.inDatabase { try Integers.fetchAll($0, sql: Integers.sql) } },
            ]
        },
        Benchmark(name: "ints-positional-get", toC: 1.20, toGRDB: 0.75, isVariant: true) { fixtures in
            let path = try fixtures.integers()
            let c = try CDatabase(path).prepare(Integers.sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { try c.integers() },
                .squall: Cell { () -> [Integers] in
                    try squall.query("\(raw: Integers.sql)") { try Integers(getting: $0) }
                },
                .grdb: Cell { try grdb.inDatabase { try Integers.cursorRows($0) } },
            ]
        },
        Benchmark(name: "ints-named", toC: 1.50, toGRDB: 0.55) { fixtures in
            let path = try fixtures.integers()
            let c = try CDatabase(path).prepare(Integers.sql)
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { try c.namedIntegers() },
                .squall: Cell { () -> [NamedIntegers] in try squall.query("\(raw: Integers.sql)") },
                .grdb: Cell { try grdb.inDatabase { try NamedIntegers.fetchAll($0, sql: Integers.sql) } },
            ]
        },
    ]
}

extension Integers {
    /// GRDB's other way: a cursor of rows.
    static func cursorRows(_ database: GRDB.Database) throws -> [Integers] {
        var rows: [Integers] = []
        let cursor = try GRDB.Row.fetchCursor(database, sql: sql)
        while let row = try cursor.next() { rows.append(Integers(row: row)) }
        return rows
    }
}
