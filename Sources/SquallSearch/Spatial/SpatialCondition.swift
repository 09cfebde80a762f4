import Squall

/// A condition on the entries of an R*Tree, which SQLite evaluates without reading all of them.
///
/// In SQL, it names the columns with their table: `SELECT id FROM \(boxes) WHERE \(boxes.overlapping(box))`.
public struct SpatialCondition: Sendable {
    public let table: SpatialTable
    public let sql: SQL

    /// The keys of the entries: `(SELECT "boxes"."id" FROM "boxes" WHERE …)`.
    public var keys: SQL { "(SELECT \(name: table.name).\(name: table.key) FROM \(table) WHERE \(sql))" }

    /// Joins the condition with more SQL: `boxes.overlapping(box).and("kind = \(kind)")`.
    public func and(_ other: SQL) -> SpatialCondition {
        SpatialCondition(table: table, sql: "\(sql) AND (\(other))")
    }

    /// Joins two conditions on the same table.
    public func and(_ other: SpatialCondition) -> SpatialCondition { and(other.sql) }
}

extension SpatialTable {
    /// `"boxes"."maxX" >= ? AND "boxes"."minX" <= ? …`: the entries that have a point in common with a box.
    ///
    /// No entry is missing. An entry beside the box can be among them, by as much as its own box was rounded outward.
    public func overlapping(_ box: SpatialBox) -> SpatialCondition {
        condition(box) { "\($0) <= \($3) AND \($1) >= \($2)" }
    }

    /// `"boxes"."minX" <= ? AND "boxes"."maxX" >= ? …`: the entries that contain a box, or a point.
    ///
    /// No entry is missing. An entry that contains the box only after rounding can be among them.
    public func containing(_ box: SpatialBox) -> SpatialCondition {
        condition(box) { "\($0) <= \($2) AND \($1) >= \($3)" }
    }

    /// `"boxes"."minX" >= ? AND "boxes"."maxX" <= ? …`: the entries that are nowhere outside a box.
    ///
    /// No entry is missing: the parameters are the sides of the box, moved outward by as much as the rounding of an entry can have
    /// moved its own. An entry that is outside by so little can be among them.
    public func within(_ box: SpatialBox) -> SpatialCondition {
        condition(box) { "\($0) >= \(coordinates.below($2)) AND \($1) <= \(coordinates.above($3))" }
    }

    /// `"boxes"."id" MATCH "circle"(?, ?, ?)`: the entries that a spatial function finds, which
    /// ``Squall/Connection/addSpatialFunction(_:_:)`` adds.
    ///
    /// A query can have more than one such condition, joined by AND. Within OR, SQLite accepts it beside conditions on the key:
    /// `… OR id = 3`.
    public func matching(_ function: String, _ arguments: (any Bindable)?...) -> SpatialCondition {
        let list: SQL = arguments.enumerated().reduce("") { $0 + ($1.offset == 0 ? "" : ", ") + "\($1.element)" }
        return SpatialCondition(
            table: self, sql: "\(name: name).\(name: key) MATCH \(name: function)(\(list))")
    }

    /// Makes a condition of a term for each dimension: its two columns, and the two sides of a box.
    private func condition(_ box: SpatialBox, _ term: (SQL, SQL, Double, Double) -> SQL) -> SpatialCondition {
        guard box.dimensionCount == dimensions.count, (1...5).contains(dimensions.count) else {
            var sql: SQL = ""
            sql.fail(dimensionError(box.dimensionCount))
            return SpatialCondition(table: self, sql: sql)
        }
        var sql: SQL = ""
        for (index, dimension) in dimensions.enumerated() {
            if index > 0 { sql += " AND " }
            sql += term(
                "\(name: name).\(name: dimension.minimum)", "\(name: name).\(name: dimension.maximum)",
                box.minimum[index], box.maximum[index])
        }
        return SpatialCondition(table: self, sql: sql)
    }

    func dimensionError(_ count: Int) -> SQLiteError {
        SQLiteError(SpatialProblem.boxDimensions(expected: dimensions.count, found: count), of: .table(name))
    }
}

extension SpatialTable.Coordinates {
    // SQLite makes a coordinate that is not a 32-bit number smaller by 2⁻²³ of it, and takes the nearest such number: together
    // less than 2⁻²² of it, and for the smallest numbers less than the smallest normal one.

    private static func margin(_ value: Double) -> Double {
        value.isFinite ? abs(value) * 0x1p-22 + Double(Float.leastNormalMagnitude) : 0
    }

    /// Returns a number that no smallest coordinate is below which was not below `value` before it was rounded.
    fileprivate func below(_ value: Double) -> Double {
        switch self {
        case .real: value - Self.margin(value)
        case .integer: value.rounded(.down)
        }
    }

    /// Returns a number that no largest coordinate is above which was not above `value` before it was rounded.
    fileprivate func above(_ value: Double) -> Double {
        switch self {
        case .real: value + Self.margin(value)
        case .integer: value.rounded(.up)
        }
    }
}

extension SQL.StringInterpolation {
    /// Appends a condition on an R*Tree, in parentheses.
    public mutating func appendInterpolation(_ condition: SpatialCondition) {
        // SQLite uses a MATCH only as a term of AND, which parentheses keep it.
        appendInterpolation("(\(condition.sql))" as SQL)
    }
}

extension Expr {
    /// `"id" IN (SELECT "boxes"."id" FROM "boxes" WHERE …)`: the rows whose entry in an R*Tree a condition finds
    ///
    ///     try connection.all(
    ///         Place.where { $0.id.isIn(boxes.overlapping(map)) && $0.kind == "café" })
    public func isIn(_ condition: SpatialCondition) -> Condition {
        Condition("\(operand) IN \(condition.keys)", .comparison)
    }
}
