import SquallSQLite
import Foundation
import GRDB
import Squall

// 200,000 names in the order of a collation: the two libraries compare as Swift does, C by `memcmp`, which for these names is
// the same order. In `collation-sort-bytes` Squall compares bytes too, in a loop over spans.

extension Benchmark {
    static let collations = [
        collation("collation-sort", column: "name", toC: 2.0) { try $0.addStringCollation() },
        collation("collation-sort-long", column: "long", toC: nil, isVariant: true) { try $0.addStringCollation() },
        collation("collation-sort-bytes", column: "long", toC: 1.5) { try $0.addByteCollation() },
    ]

    private static func collation(
        _ row: String, column: String, toC: Double?, isVariant: Bool = false,
        add: @escaping @Sendable (Connection) throws -> Void
    ) -> Benchmark {
        Benchmark(name: row, toC: toC, isVariant: isVariant) { fixtures in
            let path = try fixtures.names()
            let sql = "SELECT \(column) FROM names ORDER BY \(column) COLLATE swiftly"
            let c = try CDatabase(path)
            c.addCollation()
            let statement = try c.prepare(sql)
            let squall = try Connection.toRead(path)
            try add(squall)
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

extension Connection {
    fileprivate func addStringCollation() throws {
        try addCollation("swiftly") { lhs, rhs in
            lhs < rhs ? .orderedAscending : lhs == rhs ? .orderedSame : .orderedDescending
        }
    }

    fileprivate func addByteCollation() throws {
        try addCollation("swiftly") { (lhs: Span<UInt8>, rhs: Span<UInt8>) in
            for index in 0..<Swift.min(lhs.count, rhs.count) where lhs[index] != rhs[index] {
                return lhs[index] < rhs[index] ? .orderedAscending : .orderedDescending
            }
            if lhs.count == rhs.count { return .orderedSame }
            return lhs.count < rhs.count ? .orderedAscending : .orderedDescending
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
