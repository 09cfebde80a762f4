import SquallSQLite

/// How a virtual table is read for a statement.
public struct VirtualTablePlan: Hashable, Sendable {
    /// The number by which ``TableSource/rows(_:)`` tells the plans apart.
    public let id: Int
    /// A text for `EXPLAIN QUERY PLAN`, and for ``TableSource/rows(_:)``.
    public let note: String
    let uses: [VirtualTableConstraint.Use]
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
        _ id: Int = 0, _ note: String = "", using uses: [VirtualTableConstraint.Use] = [], isOrdered: Bool = false,
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

    /// Throws if the plan uses `LIMIT` or `OFFSET`, and leaves to SQLite which rows count.
    private func checkRowLimit(
        _ info: UnsafeMutablePointer<sqlite3_index_info>, of name: String, _ constraints: [VirtualTableConstraint],
        parameters: [Int]
    ) throws {
        let rowTerms = constraints.filter(\.operation.isOfRows)
        guard rowTerms.contains(where: { term in uses.contains { $0.index == term.index } }) else { return }
        let consumed = Set(uses.filter(\.isConsumed).map(\.index)).union(parameters)
        let isLimit = rowTerms.filter { $0.operation == .limit }.map(\.index)
        let others = Set(0..<Int(info.pointee.nConstraint)).subtracting(isLimit)
        if others.isSubset(of: consumed), info.pointee.nOrderBy == 0 || isOrdered { return }
        throw SQLiteError(
            code: SQLITE_MISUSE,
            message: "the plan of \(name) uses LIMIT or OFFSET, and leaves a condition, the order or OFFSET to SQLite")
    }

    /// Writes the plan for SQLite.
    ///
    /// - Parameter parameters: The constraints that give values to parameters, with the numbers of these.
    func write(
        to info: UnsafeMutablePointer<sqlite3_index_info>, of name: String, _ columns: ColumnList,
        constraints: [VirtualTableConstraint], parameters: [(constraint: Int, number: Int)]
    ) throws {
        let terms = uses.compactMap { use -> ScanLayout.Term? in
            guard let constraint = constraints.first(where: { $0.index == use.index }) else { return nil }
            if use.isList, !constraint.canBeList { return nil }
            return ScanLayout.Term(isList: use.isList, affinity: columns.affinity(for: constraint))
        }
        try checkRowLimit(info, of: name, constraints, parameters: parameters.map(\.constraint))
        guard Set(uses.map(\.index)).count == terms.count, terms.count == uses.count, let id = Int32(exactly: id) else {
            throw SQLiteError(
                code: SQLITE_MISUSE,
                message:
                    "the plan of \(name) uses a constraint that is not one of the query, or one twice, or its number is too large"
            )
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
            if use.isList { _ = sqlite3_vtab_in(info, Int32(use.index), 1) }
            next += 1
        }
        info.pointee.idxNum = id
        info.pointee.idxStr = try ScanLayout(parameters: parameters.map(\.number), terms: terms).copied(after: note)
        info.pointee.needToFreeIdxStr = 1
        info.pointee.orderByConsumed = isOrdered ? 1 : 0
        info.pointee.estimatedCost = cost
        info.pointee.estimatedRows = Int64(rowCount)
        info.pointee.idxFlags = isUnique ? SQLITE_INDEX_SCAN_UNIQUE : 0
    }
}

/// The order of the values of a scan: first those of parameters, then those of the constraints that the plan uses.
///
/// SQLite keeps it with the statement: in the memory of the plan's note, after the NUL at which the note ends for SQLite.
struct ScanLayout {
    /// The numbers of the parameters that have a value, in their order.
    let parameters: [Int]
    let terms: [Term]

    /// A constraint that the plan uses.
    struct Term {
        let isList: Bool
        /// The affinity that the comparison gives to the value.
        let affinity: Affinity
    }

    init(parameters: [Int], terms: [Term]) {
        self.parameters = parameters
        self.terms = terms
    }

    /// Reads the layout behind a note.
    init(after note: UnsafePointer<CChar>) {
        let start = UnsafeRawPointer(note) + strlen(note) + 1
        func word(_ index: Int) -> Int {
            Int(start.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
        }
        let count = word(0)
        parameters = (0..<count).map { word(1 + $0) }
        terms = (0..<word(1 + count)).map {
            let term = word(2 + count + $0)
            return Term(isList: term & 1 != 0, affinity: Affinity(rawValue: UInt16(term >> 1)) ?? .none)
        }
    }

    /// Returns memory that SQLite frees, with the note and the layout.
    func copied(after note: String) throws -> UnsafeMutablePointer<CChar> {
        let text = note.utf8.prefix { $0 != 0 }
        let codes = terms.map { Int($0.affinity.rawValue) << 1 | ($0.isList ? 1 : 0) }
        let numbers = [parameters.count] + parameters + [terms.count] + codes
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
