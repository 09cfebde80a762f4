import Squall

/// An entry of an R*Tree.
public struct SpatialEntry: Hashable, Sendable {
    public let id: Int64
    /// The box as it is stored, with its sides rounded outward.
    public let box: SpatialBox
    /// The values of the auxiliary columns, in the order of the declaration.
    public let auxiliary: [BindingValue]
}

extension SpatialTable {
    /// The columns of an entry, with their table.
    private var selection: SQL {
        columns.dropFirst().reduce("\(name: name).\(name: key)") { $0 + ", \(name: name).\(name: $1)" }
    }

    func query(_ condition: SQL?, limit: Int?) -> SQL {
        var sql: SQL = "SELECT \(selection) FROM \(self)"
        if let condition { sql += " WHERE \(condition)" }
        if let limit { sql += " LIMIT \(limit)" }
        return sql
    }

    /// Reads a row of the query.
    func entry(_ row: Row) throws -> SpatialEntry {
        let id: Int64 = try row.get(0)
        let corners = try dimensions.indices.map { index -> (Double, Double) in
            (try row.get(1 + 2 * index), try row.get(2 + 2 * index))
        }
        guard corners.allSatisfy({ $0 <= $1 }) else {
            throw SQLiteError(SpatialProblem.entry(id: id), of: .table(name))
        }
        let others = 1 + 2 * dimensions.count
        return SpatialEntry(
            id: id, box: SpatialBox(count: corners.count, corners),
            auxiliary: try auxiliary.indices.map { try row.get(others + $0) as BindingValue? ?? .null })
    }

    /// Returns the values of the key and the coordinates for a box.
    func values(_ id: Int64?, _ box: SpatialBox) throws -> [BindingValue] {
        guard box.dimensionCount == dimensions.count else { throw dimensionError(box.dimensionCount) }
        var values: [BindingValue] = [id.map { .integer($0) } ?? .null]
        values.reserveCapacity(columns.count)
        for index in dimensions.indices {
            values.append(try stored(box.minimum[index], isMinimum: true))
            values.append(try stored(box.maximum[index], isMinimum: false))
        }
        return values
    }

    private func stored(_ value: Double, isMinimum: Bool) throws -> BindingValue {
        switch coordinates {
        case .real:
            // SQLite would store infinity for a larger number. It rounds outward by more than one number of this form, and the smallest
            // numbers not outward.
            guard abs(value) <= Double(Float.greatestFiniteMagnitude) else { break }
            let nearest = Float(value)
            if Double(nearest) == value { return .real(value) }
            let isOutside = isMinimum == (Double(nearest) < value)
            return .real(Double(isOutside ? nearest : isMinimum ? nearest.nextDown : nearest.nextUp))
        case .integer:
            // SQLite would store the low 32 bits.
            if let number = Int32(exactly: value.rounded(isMinimum ? .down : .up)) { return .integer(Int64(number)) }
        }
        throw SQLiteError(SpatialProblem.coordinate(value), of: .table(name))
    }
}
