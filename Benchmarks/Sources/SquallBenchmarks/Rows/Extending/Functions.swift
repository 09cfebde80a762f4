import SquallSQLite
import Foundation
import GRDB
import Squall

// A million calls of a function of two numbers, and an aggregate over a million rows; on the C side written against SQLite's
// interface, with arguments that are read unchecked.

extension Benchmark {
    static let functions = [
        Benchmark(name: "function-two-reals", toC: 1.25, toGRDB: 0.60) { fixtures in
            let path = try fixtures.reals()
            let sql = "SELECT sum(distance(a, b)) FROM reals"
            let c = try CDatabase(path)
            c.addDistance()
            let statement = try c.prepare(sql)
            let squall = try Connection.toRead(path)
            try squall.addFunction("distance") { (a: Double, b: Double) in abs(a - b) }
            let grdb = try DatabaseQueue.toRead(path)
            grdb.add(
                GRDB.DatabaseFunction("distance", argumentCount: 2) { values in
                    guard let a = Double.fromDatabaseValue(values[0]), let b = Double.fromDatabaseValue(values[1])
                    else { return nil }
                    return abs(a - b)
                }
            )
            return [
                .c: Cell { try statement.oneReal() },
                .squall: Cell { () -> Double in try squall.query("\(raw: sql)") },
                .grdb: Cell { try grdb.inDatabase { try Double.fetchOne($0, sql: sql) ?? 0 } },
            ]
        },
        Benchmark(name: "function-text", isVariant: true) { fixtures in
            let path = try fixtures.names()
            let sql = "SELECT sum(length(shout(name))) FROM names"
            let c = try CDatabase(path)
            c.addShout()
            let statement = try c.prepare(sql)
            let squall = try Connection.toRead(path)
            try squall.addFunction("shout") { (text: String) in text + "!" }
            let grdb = try DatabaseQueue.toRead(path)
            grdb.add(
                GRDB.DatabaseFunction("shout", argumentCount: 1) { values in
                    String.fromDatabaseValue(values[0]).map { $0 + "!" }
                }
            )
            return [
                .c: Cell { try statement.oneReal() },
                .squall: Cell { () -> Double in try squall.query("\(raw: sql)") },
                .grdb: Cell { try grdb.inDatabase { try Double.fetchOne($0, sql: sql) ?? 0 } },
            ]
        },
        Benchmark(name: "aggregate-reals", toC: 1.25, toGRDB: 0.60) { fixtures in
            let path = try fixtures.reals()
            let sql = "SELECT squares(a) FROM reals"
            let c = try CDatabase(path)
            c.addSquares()
            let statement = try c.prepare(sql)
            let squall = try Connection.toRead(path)
            try squall.addAggregate("squares", initial: 0.0) { (sum: inout Double, value: Double) in
                sum += value * value
            } final: { sum in
                sum
            }
            let grdb = try DatabaseQueue.toRead(path)
            grdb.add(GRDB.DatabaseFunction("squares", argumentCount: 1, aggregate: Squares.self))
            return [
                .c: Cell { try statement.oneReal() },
                .squall: Cell { () -> Double in try squall.query("\(raw: sql)") },
                .grdb: Cell { try grdb.inDatabase { try Double.fetchOne($0, sql: sql) ?? 0 } },
            ]
        },
        Benchmark(name: "window-reals", isVariant: true) { fixtures in
            let path = try fixtures.reals()
            let sql = "SELECT max(s) FROM (SELECT squares(a) OVER (ROWS 9 PRECEDING) AS s FROM reals)"
            let c = try CDatabase(path)
            c.addSquares()
            let statement = try c.prepare(sql)
            let squall = try Connection.toRead(path)
            try squall.addWindowFunction("squares", initial: 0.0) { (sum: inout Double, value: Double) in
                sum += value * value
            } inverse: { sum, value in
                sum -= value * value
            } value: { sum in
                sum
            }
            return [
                .c: Cell { try statement.oneReal() },
                .squall: Cell { () -> Double in try squall.query("\(raw: sql)") },
                // GRDB has no window functions.
                .grdb: Cell { try statement.oneReal() },
            ]
        },
    ]
}

private struct Squares: DatabaseAggregate {
    var sum = 0.0

    mutating func step(_ values: [DatabaseValue]) throws {
        guard let value = Double.fromDatabaseValue(values[0]) else { return }
        sum += value * value
    }

    func finalize() throws -> (any DatabaseValueConvertible)? { sum }
}

extension DatabaseQueue {
    fileprivate func add(_ function: GRDB.DatabaseFunction) {
        inDatabase { $0.add(function: function) }
    }
}

extension CDatabase {
    fileprivate func addDistance() {
        sqlite3_create_function_v2(
            handle, "distance", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
            { context, _, values in
                sqlite3_result_double(
                    context, abs(sqlite3_value_double(values?[0]) - sqlite3_value_double(values?[1]))
                )
            }, nil, nil, nil
        )
    }

    fileprivate func addShout() {
        sqlite3_create_function_v2(
            handle, "shout", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
            { context, _, values in
                let text = sqlite3_value_text(values?[0])
                let count = Int(sqlite3_value_bytes(values?[0]))
                guard let text, let copy = sqlite3_malloc64(UInt64(count + 1)) else { return }
                memcpy(copy, text, count)
                let bytes = copy.assumingMemoryBound(to: CChar.self)
                bytes[count] = CChar(UInt8(ascii: "!"))
                sqlite3_result_text64(context, bytes, UInt64(count + 1), sqlite3_free, UInt8(SQLITE_UTF8))
            }, nil, nil, nil
        )
    }

    /// Adds an aggregate and window function, as a C programmer writes it.
    fileprivate func addSquares() {
        sqlite3_create_window_function(
            handle, "squares", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
            { context, _, values in
                let sum = sqlite3_aggregate_context(context, 8)?.assumingMemoryBound(to: Double.self)
                let value = sqlite3_value_double(values?[0])
                sum?.pointee += value * value
            },
            { context in
                let sum = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: Double.self)
                sqlite3_result_double(context, sum?.pointee ?? 0)
            },
            { context in
                let sum = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: Double.self)
                sqlite3_result_double(context, sum?.pointee ?? 0)
            },
            { context, _, values in
                let sum = sqlite3_aggregate_context(context, 8)?.assumingMemoryBound(to: Double.self)
                let value = sqlite3_value_double(values?[0])
                sum?.pointee -= value * value
            }, nil
        )
    }
}

extension CStatement {
    fileprivate func oneReal() throws -> Double {
        var value = 0.0
        try forEachRow { value = real(0) }
        return value
    }
}
