import Squall

/// Squares of the numbers from 1 to a count, with plans for `n`, and a note of what each scan was asked for.
final class Squares: TableSource {
    let count: Int
    /// The scans so far: `by n [7]`.
    private(set) var scans: [String] = []
    private(set) var rowsMade = 0
    /// The terms of each query that has been planned.
    private(set) var queries: [PlanQuery] = []

    init(_ count: Int = 100) {
        self.count = count
    }

    let columns = [
        VirtualColumn<Int>("n") { $0 },
        VirtualColumn("square") { $0 * $0 },
        VirtualColumn("name", collation: "NOCASE") { $0 % 7 == 0 ? nil : "Name \($0 % 10)" },
    ]

    func plan(_ query: PlanQuery) -> Plan {
        queries.append(query)
        let isOrdered = query.isOrdered(by: "n") || query.isOrdered(by: nil)
        if let equal = query.constraint("n", .equal) {
            if equal.canBeList {
                return Plan(2, "list of n", using: [equal.list], isOrdered: isOrdered, rows: 10)
            }
            return Plan(1, "n =", using: [equal.consumed], isOrdered: true, rows: 1, isUnique: true)
        }
        if let from = query.constraint("n", .greaterOrEqual) ?? query.constraint("n", .greater) {
            return Plan(3, "n >", using: [from.used], isOrdered: isOrdered, rows: count / 2)
        }
        return Plan(0, "all", isOrdered: isOrdered, rows: count)
    }

    func rows(_ scan: borrowing Scan) throws -> some Sequence<Int> {
        let range = 1...max(1, count)
        let found: [Int]
        switch scan.plan {
        case 1:
            let n: Int? = try? scan.get(0)
            found = n.map { range.contains($0) ? [$0] : [] } ?? []
        case 2:
            let list = Set(try scan.list(0, as: BindingValue.self))
            found = range.filter { list.contains(.integer(Int64($0))) || list.contains(.real(Double($0))) }
        case 3:
            let from: Int? = try? scan.get(0)
            found = Array(range.filter { $0 >= from ?? 1 })
        default:
            found = Array(range)
        }
        scans.append("\(scan.note) \(found.count)")
        return found.lazy.map { [self] n in
            rowsMade += 1
            return n
        }
    }

    func rowID(of row: Int) -> Int64? { Int64(row) }
}
