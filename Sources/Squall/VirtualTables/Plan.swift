import SquallSQLite

/// How a virtual table is read for a statement.
public struct Plan: Hashable, Sendable {
    /// The number by which ``TableSource/rows(_:)`` tells the plans apart.
    public let id: Int
    /// A text for `EXPLAIN QUERY PLAN`, and for ``TableSource/rows(_:)``.
    public let note: String
    let uses: [Constraint.Use]
    let isOrdered: Bool
    let rowCount: Int
    let cost: Double
    let isUnique: Bool

    /// A plan.
    ///
    ///     Plan(1, "day =", using: [day.consumed], rows: 10)
    ///
    /// - Parameters:
    ///   - id: A number for the scan.
    ///   - note: A text that `EXPLAIN QUERY PLAN` shows.
    ///   - uses: The constraints whose values the scan receives, in this order. Their number should lower `rows` or `cost`: SQLite takes
    ///     the plan that costs least.
    ///   - isOrdered: Whether the rows come in the order that the query wants; SQLite then does not sort them.
    ///   - rows: The estimated number of rows of a scan.
    ///   - cost: The estimated cost of a scan, in rows that are looked at. The default is `rows`.
    ///   - isUnique: Whether a scan returns at most one row.
    public init(
        _ id: Int = 0, _ note: String = "", using uses: [Constraint.Use] = [], isOrdered: Bool = false,
        rows: Int = 100_000, cost: Double? = nil, isUnique: Bool = false
    ) {
        self.id = id
        self.note = note
        self.uses = uses
        self.isOrdered = isOrdered
        self.rowCount = max(0, rows)
        self.cost = max(0, cost ?? Double(rows))
        self.isUnique = isUnique
    }

    /// Writes the plan for SQLite.
    ///
    /// - Parameter parameters: The constraints that give values to parameters, with the numbers of these.
    func write(
        to info: UnsafeMutablePointer<sqlite3_index_info>, of name: String, constraints: [Constraint],
        parameters: [(constraint: Int, number: Int)]
    ) throws {
        guard Set(uses.map(\.index)).count == uses.count, let id = Int32(exactly: id),
            uses.allSatisfy({ use in constraints.contains { $0.index == use.index && (!use.isList || $0.canBeList) } })
        else {
            throw SQLiteError(
                code: SQLITE_MISUSE,
                message: "the plan of \(name) uses a constraint that is not one of the query, or one twice")
        }
        var next = Int32(1)
        for parameter in parameters {
            info.pointee.aConstraintUsage[parameter.constraint].argvIndex = next
            info.pointee.aConstraintUsage[parameter.constraint].omit = 1
            next += 1
        }
        for use in uses {
            info.pointee.aConstraintUsage[use.index].argvIndex = next
            info.pointee.aConstraintUsage[use.index].omit = use.isConsumed ? 1 : 0
            if use.isList { _ = squall_vtab_in(info, Int32(use.index), 1) }
            next += 1
        }
        info.pointee.idxNum = id
        info.pointee.idxStr = try ScanLayout(parameters: parameters.map(\.number), uses: uses).copied(after: note)
        info.pointee.needToFreeIdxStr = 1
        info.pointee.orderByConsumed = isOrdered ? 1 : 0
        info.pointee.estimatedCost = cost
        info.pointee.estimatedRows = Int64(rowCount)
        info.pointee.idxFlags = isUnique ? SQLITE_INDEX_SCAN_UNIQUE : 0
    }
}

/// What the values of a scan are: first those of parameters, then those of the constraints that the plan uses.
///
/// SQLite keeps it with the statement: in the memory of the plan's note, after the NUL at which the note ends for SQLite.
struct ScanLayout {
    /// The numbers of the parameters that have a value, in their order.
    let parameters: [Int]
    /// For each constraint whether it is a list.
    let lists: [Bool]

    init(parameters: [Int], uses: [Constraint.Use]) {
        self.parameters = parameters
        lists = uses.map(\.isList)
    }

    /// Reads the layout behind a note.
    init(after note: UnsafePointer<CChar>) {
        let start = UnsafeRawPointer(note) + strlen(note) + 1
        func word(_ index: Int) -> Int {
            Int(start.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
        }
        let count = word(0)
        parameters = (0..<count).map { word(1 + $0) }
        lists = (0..<word(1 + count)).map { word(2 + count + $0) != 0 }
    }

    /// Returns memory that SQLite frees, with the note and the layout.
    func copied(after note: String) throws -> UnsafeMutablePointer<CChar> {
        let text = note.utf8.prefix { $0 != 0 }
        let numbers = [parameters.count] + parameters + [lists.count] + lists.map { $0 ? 1 : 0 }
        // A table has at most 32,767 columns, and SQLite passes at most as many constraints as an expression has terms.
        let words = numbers.map { UInt16(clamping: $0) }
        guard let memory = sqlite3_malloc64(UInt64(text.count + 1 + 2 * words.count)) else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory")
        }
        let bytes = UnsafeMutableRawBufferPointer(start: memory, count: text.count + 1)
        bytes.copyBytes(from: text)
        bytes[text.count] = 0
        for (index, word) in words.enumerated() {
            (memory + text.count + 1).storeBytes(of: word, toByteOffset: 2 * index, as: UInt16.self)
        }
        return memory.assumingMemoryBound(to: CChar.self)
    }
}
