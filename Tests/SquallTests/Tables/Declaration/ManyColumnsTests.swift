import Squall
import Testing

private struct Nine: TableRecord, Equatable {
    let a: Int, b: String, c: Int?, d: Double, e: Int, f: Int, g: Int, h: Int, i: String

    static let table = Table("nine", Nine.init) {
        Column("a", \Nine.a, .primaryKey)
        Column("b", \Nine.b)
        Column("c", \Nine.c)
        Column("d", \Nine.d)
        Column("e", \Nine.e)
        Column("f", \Nine.f)
        Column("g", \Nine.g)
        Column("h", \Nine.h)
        Column("i", \Nine.i)
    }
}

private struct Ten: TableRecord, Equatable {
    let a: Int, b: String, c: Int?, d: Double, e: Int, f: Int, g: Int, h: Int, i: Int, j: String

    static let table = Table("ten", Ten.init) {
        Column("a", \Ten.a, .primaryKey)
        Column("b", \Ten.b)
        Column("c", \Ten.c)
        Column("d", \Ten.d)
        Column("e", \Ten.e)
        Column("f", \Ten.f)
        Column("g", \Ten.g)
        Column("h", \Ten.h)
        Column("i", \Ten.i)
        Column("j", \Ten.j)
    }
}

private struct Eleven: TableRecord, Equatable {
    let a: Int, b: String, c: Int?, d: Double, e: Int, f: Int, g: Int, h: Int, i: Int, j: Int, k: String

    static let table = Table("eleven", Eleven.init) {
        Column("a", \Eleven.a, .primaryKey)
        Column("b", \Eleven.b)
        Column("c", \Eleven.c)
        Column("d", \Eleven.d)
        Column("e", \Eleven.e)
        Column("f", \Eleven.f)
        Column("g", \Eleven.g)
        Column("h", \Eleven.h)
        Column("i", \Eleven.i)
        Column("j", \Eleven.j)
        Column("k", \Eleven.k)
    }
}

/// Each number of columns has an initialiser of its own, which reads the values in the order of the columns.
struct ManyColumnsTests {
    private func roundTrip<Record: TableRecord & Equatable>(_ records: [Record]) throws {
        let connection = try Connection()
        try connection.create(Record.table)
        try connection.insert(contentsOf: records)
        #expect(try connection.all(Record.self) == records)
    }

    @Test func nine() throws {
        try roundTrip([
            Nine(a: 1, b: "b", c: 3, d: 4.5, e: 5, f: 6, g: 7, h: 8, i: "i"),
            Nine(a: 2, b: "", c: nil, d: -1, e: 6, f: 5, g: 8, h: 7, i: "ii"),
        ])
    }

    @Test func ten() throws {
        try roundTrip([
            Ten(a: 1, b: "b", c: 3, d: 4.5, e: 5, f: 6, g: 7, h: 8, i: 9, j: "j"),
            Ten(a: 2, b: "", c: nil, d: -1, e: 6, f: 5, g: 8, h: 7, i: 10, j: "jj"),
        ])
    }

    @Test func eleven() throws {
        try roundTrip([
            Eleven(a: 1, b: "b", c: 3, d: 4.5, e: 5, f: 6, g: 7, h: 8, i: 9, j: 10, k: "k"),
            Eleven(a: 2, b: "", c: nil, d: -1, e: 6, f: 5, g: 8, h: 7, i: 10, j: 9, k: "kk"),
        ])
    }
}
