extension Expr {
    /// `"id" IN (SELECT "boxes"."id" FROM "boxes" WHERE …)`: the rows whose entry in an R*Tree a condition finds
    ///
    ///     try connection.all(
    ///         Place.where { $0.id.isIn(boxes.overlapping(map)) && $0.kind == "café" })
    public func isIn(_ condition: SpatialCondition) -> Condition {
        Condition("\(operand) IN \(condition.keys)", .comparison)
    }
}
