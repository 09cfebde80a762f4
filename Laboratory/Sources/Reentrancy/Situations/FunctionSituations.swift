import Foundation
import Squall
import SquallSearch

extension Situation {
    static let functions: [Situation] = [
        query("in a scalar function", "SELECT reenter(id) FROM items") { connection, trigger in
            try connection.addFunction("reenter") { (number: Int) -> Int in
                trigger.fire()
                return number
            }
        },
        query(
            "in a function of a write", "UPDATE items SET price = reenter(price) + 1 WHERE id < 4",
            requirement: .writing
        ) {
            connection, trigger in
            try connection.addFunction("reenter") { (number: Int) -> Int in
                trigger.fire()
                return number
            }
        },
        query("in the step of an aggregate function", "SELECT reenter(id) FROM items") { connection, trigger in
            try connection.addAggregate("reenter", initial: 0) { (state: inout Int, number: Int) in
                trigger.fire()
                state += number
            } final: {
                $0
            }
        },
        query("in the end of an aggregate function", "SELECT reenter(id) FROM items") { connection, trigger in
            try connection.addAggregate("reenter", initial: 0) { (state: inout Int, number: Int) in
                state += number
            } final: { state -> Int in
                trigger.fire()
                return state
            }
        },
        query(
            "in the inverse of a window function",
            "SELECT reenter(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM items"
        ) { connection, trigger in
            try connection.addWindowFunction("reenter", initial: 0) { (state: inout Int, number: Int) in
                state += number
            } inverse: { (state: inout Int, number: Int) in
                trigger.fire()
                state -= number
            } value: {
                $0
            }
        },
        query("in a collation", "SELECT name FROM items ORDER BY name COLLATE reenter") { connection, trigger in
            try connection.addCollation("reenter") { (left: String, right: String) in
                trigger.fire()
                return left.compare(right)
            }
        },
        query(
            "in a tokenizer", "SELECT * FROM tokenized", requirement: .writing, grounds: [.own, .writer],
            expectation: .noConnection
        ) { connection, trigger in
            try connection.addTokenizer("reenter") { (_: Span<UInt8>, _, emit: borrowing TokenEmitter) in
                trigger.fire()
                try emit(0..<1)
            }
            try connection.execute("CREATE VIRTUAL TABLE tokenized USING fts5(text, tokenize = 'reenter')")
            try connection.run("INSERT INTO tokenized VALUES('word')")
        },
        query(
            "in a ranking function",
            "SELECT rowid FROM items_search WHERE items_search MATCH 'item' ORDER BY reenter(items_search)"
        ) { connection, trigger in
            try connection.addRankingFunction("reenter") { match in
                trigger.fire()
                return match.bm25()
            }
        },
        query("in a spatial function", "SELECT id FROM boxes WHERE id MATCH reenter()") { connection, trigger in
            try connection.addSpatialFunction("reenter") {
                { _ in
                    trigger.fire()
                    return .inside(score: 0)
                }
            }
        },
    ]

    static func query(
        _ name: String, _ sql: SQL, requirement: Requirement = .connection, grounds: [Ground]? = nil,
        expectation: Expectation = .anything,
        _ install: @escaping @Sendable (Connection, Trigger) throws -> Void
    ) -> Situation {
        Situation(name: name, requirement: requirement, grounds: grounds, expectation: expectation) { scene, trigger in
            let connection = try scene.requireConnection()
            try install(connection, trigger)
            try connection.forEach(sql) { _ in }
        }
    }
}

extension String {
    func compare(_ other: String) -> ComparisonResult {
        self < other ? .orderedAscending : self == other ? .orderedSame : .orderedDescending
    }
}
