import Foundation
import Squall

/// Rows of the program that SQL reads, by their key or all.
///
/// Sendable, because a lock protects its state.
final class RowSource: TableSource, @unchecked Sendable {
    typealias Line = (key: BindingValue, row: ItemRow)

    private let lock = NSLock()
    private var lines: [Line] = []
    private var limit: Int?

    /// The error of a row.
    struct Failure: Error {}

    /// - Parameter limit: The number of rows after which a scan of all fails; `nil` if it does not.
    /// - Returns: The rows before.
    @discardableResult
    func set(_ rows: [ItemRow], _ shape: TableShape, failsAfter limit: Int? = nil) -> [Line] {
        lock.withLock {
            defer { (lines, self.limit) = (rows.map { (shape.key.bindingValue($0.id), $0) }, limit) }
            return lines
        }
    }

    /// Takes rows that were there before.
    func restore(_ rows: [Line]) { lock.withLock { lines = rows } }

    var columns: [VirtualColumn<Line>] {
        [
            VirtualColumn("key") { $0.key }, VirtualColumn("part") { $0.row.part },
            VirtualColumn("name") { $0.row.name }, VirtualColumn("price") { $0.row.price },
            VirtualColumn("note") { $0.row.note },
        ]
    }

    func plan(_ query: PlanQuery) -> Plan {
        guard let equal = query.constraint("key", .equal) else { return Plan(0, "all") }
        return Plan(1, "key =", using: [equal.used], rows: 1)
    }

    func rows(_ scan: borrowing Scan) throws -> ThrowingRows<Line> {
        let (all, limit) = lock.withLock { (self.lines, self.limit) }
        var found = all[...]
        if scan.plan == 1 {
            let key: BindingValue = try scan.get(0)
            found = ArraySlice(all.filter { $0.key == key })
        }
        var count = 0
        return ThrowingRows { () throws -> Line? in
            if count == limit { throw Failure() }
            count += 1
            return found.popFirst()
        }
    }

    func rowID(of line: Line) -> Int64? { line.row.id }
}

/// Lines that SQL writes into the memory of the program, and takes back with its transactions.
///
/// Sendable, because a lock protects its state.
final class Journal: WritableTableSource, @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    /// The lines at each level of a transaction.
    private var saved: [(level: Int, lines: [String])] = []

    var columns: [VirtualColumn<(offset: Int, element: String)>] { [VirtualColumn("line") { $0.element }] }

    func rows(_ scan: borrowing Scan) -> [(offset: Int, element: String)] {
        lock.withLock { Array(lines.enumerated()) }
    }

    func rowID(of row: (offset: Int, element: String)) -> Int64? { Int64(row.offset) }

    func insert(_ row: borrowing WrittenRow) throws -> Int64 {
        let line: String = try row.get("line")
        return lock.withLock {
            lines.append(line)
            return Int64(lines.count - 1)
        }
    }

    func update(_ rowID: Int64, _ row: borrowing WrittenRow) throws {
        let line: String = try row.get("line")
        lock.withLock { lines[Int(rowID)] = line }
    }

    func delete(_ rowID: Int64) { lock.withLock { _ = lines.remove(at: Int(rowID)) } }

    func begin() { lock.withLock { saved = [(0, lines)] } }
    func commit() { lock.withLock { saved = [] } }

    func rollBack() {
        rollBack(to: 0)
        lock.withLock { saved = [] }
    }

    func savepoint(_ level: Int) {
        release(level)
        lock.withLock { saved.append((level, lines)) }
    }

    func release(_ level: Int) { lock.withLock { saved.removeAll { $0.level >= level } } }

    func rollBack(to level: Int) {
        lock.withLock {
            saved.removeAll { $0.level > level }
            if let kept = saved.last { lines = kept.lines }
        }
    }
}
