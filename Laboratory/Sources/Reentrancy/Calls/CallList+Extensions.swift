import Foundation
import Squall
import SquallSearch

extension CallList {
    /// Calls that add functions, collations, modules and tokenizers.
    mutating func addExtensions() {
        connection("addFunction(_:deterministic:directOnly:innocuous:_:)") { connection in
            try connection.addFunction("added") { (number: Int) in number + 1 }
            let _: Int = try connection.query("SELECT added(1)")
        }
        connection("addFunction(_:deterministic:directOnly:innocuous:_:)") { connection in
            try connection.addFunction("added") { (numbers: [Int]) in numbers.count }
        }
        connection("addAggregate(_:deterministic:directOnly:innocuous:initial:step:final:)") { connection in
            try connection.addAggregate("added", initial: 0) { (state: inout Int, number: Int) in
                state += number
            } final: {
                $0
            }
            let _: Int = try connection.query("SELECT added(id) FROM items")
        }
        connection("addWindowFunction(_:deterministic:directOnly:innocuous:initial:step:inverse:value:)") {
            connection in
            try connection.addWindowFunction("added", initial: 0) { (state: inout Int, number: Int) in
                state += number
            } inverse: { (state: inout Int, number: Int) in
                state -= number
            } value: {
                $0
            }
        }
        connection("addCollation(_:_:)") { connection in
            try connection.addCollation("added") { (left: String, right: String) in left.compare(right) }
            try connection.run("SELECT name FROM items ORDER BY name COLLATE added")
        }
        connection("addCollation(_:_:)") { connection in
            try connection.addCollation("added") { (left: Span<UInt8>, right: Span<UInt8>) in
                left.count < right.count
                    ? .orderedAscending : left.count == right.count ? .orderedSame : .orderedDescending
            }
        }
        connection("removeCollation(named:)") { try $0.removeCollation(named: "reenter") }
        connection("removeFunction(named:argumentCount:)") { try $0.removeFunction(named: "reenter", argumentCount: 1) }
        connection("addTableFunction(_:columns:directOnly:innocuous:_:)") { connection in
            try connection.addTableFunction("added", columns: "value") { (count: Int) in 0..<count }
            let _: [Int] = try connection.query("SELECT value FROM added(3)")
        }
        connection("register(named:use:directOnly:innocuous:_:)") { connection in
            try connection.register(named: "added") { _ in ThreeNumbers() }
            let _: [Int] = try connection.query("SELECT value FROM added")
        }
        connection("register(_:named:use:directOnly:innocuous:)") { connection in
            try connection.register(ThreeNumbers.self, named: "added")
            let _: [Int] = try connection.query("SELECT value FROM added")
        }
        connection("removeModule(named:)") { try $0.removeModule(named: "reenter") }
        connection("addTokenizer(_:_:)") { connection in
            try connection.addTokenizer("added") { (_: Span<UInt8>, _, emit: borrowing TokenEmitter) in try emit(0..<1)
            }
        }
        connection("addTokenizer(_:makingWith:)") { connection in
            try connection.addTokenizer(
                "added", makingWith: { _ in { (_, _, emit: borrowing TokenEmitter) in try emit(0..<1) } })
        }
        connection("addCJKTokenizer()") { try $0.addCJKTokenizer() }
        connection("addVectorFunctions()") { try $0.addVectorFunctions() }
        connection("addRankingFunction(_:_:)") { try $0.addRankingFunction("added") { $0.bm25() } }
        connection("addSearchFunction(_:_:)") { connection in
            try connection.addSearchFunction("added") { (match: borrowing SearchMatch) in match.columnCount }
        }
        connection("addSpatialFunction(_:_:)") { connection in
            try connection.addSpatialFunction("added") { (_: Double) in { _ in .inside(score: 0) } }
        }
        connection("loadExtension(_:entryPoint:)") { try $0.loadExtension("/no/such/library") }
    }

    /// A call of a connection of a database, whose effect ends with the closure.
    private mutating func addToPool(_ name: String, _ body: @escaping @Sendable (Connection) throws -> Void) {
        add(name, .connection, grounds: [.writer, .reader]) { scene, inSituation in
            let connection = try scene.requireConnection()
            try inSituation { try body(connection) }
        }
    }

    /// Calls that set hooks, and add observers.
    mutating func addHooks() {
        // Those that would refuse everything end with the closure of a database.
        connection("busyHandler(_:)") { try $0.busyHandler(.custom { _ in false }) }
        connection("busyHandler(_:)") { try $0.busyHandler(.timeout(0.01)) }
        connection("progressHandler(every:_:)") { try $0.progressHandler(every: 5) { .proceed } }
        addToPool("progressHandler(every:_:)") { try $0.progressHandler(every: 1) { .interrupt } }
        addToPool("limits") { $0.limits[.sqlLength] = 5 }
        addToPool("addAuthorizer(_:)") { $0.addAuthorizer { _, _, _, _, _ in .deny } }
        connection("progressHandler(every:_:)") { try $0.progressHandler(nil) }
        connection("addAuthorizer(_:)") { $0.addAuthorizer { _, _, _, _, _ in .ok } }
        connection("addCommitObserver(_:)") { $0.addCommitObserver { false } }
        connection("addRollbackObserver(_:)") { $0.addRollbackObserver {}.cancel() }
        connection("addUpdateObserver(_:)") { $0.addUpdateObserver { _, _, _, _ in } }
        connection("addPreUpdateObserver(_:)") { try $0.addPreUpdateObserver { _ in } }
        connection("addWALObserver(_:)") { $0.addWALObserver { _, _ in } }
        connection("addTraceObserver(mask:_:)") { $0.addTraceObserver { _ in } }
        connection("addProfileObserver(_:)") { $0.addProfileObserver { _ in } }
        connection("addSlowStatementObserver(from:includingValues:_:)") {
            $0.addSlowStatementObserver(from: .zero, includingValues: true) { _ in }
        }
    }
}

/// A virtual table of three rows.
struct ThreeNumbers: VirtualTable {
    init() {}

    init(_ arguments: TableArguments) throws {}

    var columns: [VirtualColumn<Int>] { [VirtualColumn("value") { $0 }] }

    func rows(_ scan: borrowing Scan) -> [Int] { [1, 2, 3] }
}
