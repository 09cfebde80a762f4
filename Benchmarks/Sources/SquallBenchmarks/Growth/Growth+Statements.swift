import SquallSQLite
import GRDB
import Squall

extension Growth {
    /// Look-ups with more and more different texts, one after the other, so that a cache that is too small never has the
    /// next one.
    static let statements: @Sendable (Fixtures, Int) throws -> GrowthPanel = { fixtures, rounds in
        var panel = GrowthPanel(
            "statements", "Different SQL texts in turn", quantity: "texts", operation: "look-up",
            note: "dashed: C prepares each time, Squall caches 1,024")
        let path = try fixtures.cars()
        let count = 8192
        let c = try CDatabase(path)
        for size in [1, 4, 16, 64, 128, 160, 256, 512, 1024] {
            let squall = try Connection.toRead(path)
            var configuration = Squall.Configuration.recommended
            configuration.statementCacheCapacity = 1024
            let large = try Connection(path, configuration: configuration)
            let grdb = try DatabaseQueue.toRead(path)
            let texts = (1...size).map { "SELECT price FROM cars WHERE id = \($0 * 97)" }
            let kept = try texts.map { try c.prepare($0) }
            defer { for statement in kept { sqlite3_finalize(statement.handle) } }
            func inTurn<Element>(_ elements: [Element], _ price: (Element) throws -> Int) throws -> UInt64 {
                try time {
                    for number in 0..<count { _ = try price(elements[number % size]) }
                }
            }
            try panel.measure(
                size, operations: count, rounds: rounds,
                [
                    .c: { try inTurn(kept) { try $0.price() } },
                    .c("prepared each time"): {
                        try inTurn(texts) { text in
                            let statement = try c.prepare(text)
                            defer { sqlite3_finalize(statement.handle) }
                            return try statement.price()
                        }
                    },
                    .squall: { try inTurn(texts) { try squall.query(SQL(raw: $0)) } },
                    .squall("a cache of 1,024"): { try inTurn(texts) { try large.query(SQL(raw: $0)) } },
                    .grdb: {
                        try grdb.inDatabase { database in
                            try inTurn(texts) { try Int.fetchOne(database.cachedStatement(sql: $0)) ?? 0 }
                        }
                    },
                ])
        }
        return panel
    }
}

extension CStatement {
    fileprivate func price() throws -> Int {
        guard sqlite3_step(handle) == SQLITE_ROW else { throw database.failure }
        let price = integer(0)
        sqlite3_reset(handle)
        return price
    }
}
