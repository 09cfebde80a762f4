import SquallSQLite
import Foundation
import GRDB
import Squall

// 200,000 names in the order of a collation: the two libraries compare as Swift does, C by `memcmp`, which for these names is
// the same order.

extension Benchmark {
    static let collations = [
        collation("collation-sort", column: "name", toC: 2.0),
        collation("collation-sort-long", column: "long", toC: nil, isVariant: true),
    ]

    private static func collation(
        _ row: String, column: String, toC: Double?, isVariant: Bool = false
    ) -> Benchmark {
        Benchmark(name: row, toC: toC, isVariant: isVariant) { fixtures in
            let path = try fixtures.names()
            let sql = "SELECT \(column) FROM names ORDER BY \(column) COLLATE swiftly"
            let c = try CDatabase(path)
            c.addCollation()
            let statement = try c.prepare(sql)
            let squall = try Connection.toRead(path)
            try squall.addCollation("swiftly") { lhs, rhs in
                lhs < rhs ? .orderedAscending : lhs == rhs ? .orderedSame : .orderedDescending
            }
            let grdb = try DatabaseQueue.toRead(path)
            grdb.inDatabase {
                $0.add(
                    collation: DatabaseCollation("swiftly") { lhs, rhs in
                        lhs < rhs ? .orderedAscending : lhs == rhs ? .orderedSame : .orderedDescending
                    }
                )
            }
            return [
                .c: Cell { () -> [String] in
                    var names: [String] = []
                    try statement.forEachRow { names.append(statement.text(0)) }
                    return names
                },
                .squall: Cell { () -> [String] in try squall.query("\(raw: sql)") },
                .grdb: Cell { () -> [String] in try grdb.inDatabase { try String.fetchAll($0, sql: sql) } },
            ]
        }
    }
}

extension CDatabase {
    fileprivate func addCollation() {
        sqlite3_create_collation_v2(
            handle, "swiftly", SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                guard let left, let right else { return leftCount - rightCount }
                let order = memcmp(left, right, Int(min(leftCount, rightCount)))
                return order == 0 ? leftCount - rightCount : order
            }, nil
        )
    }
}
