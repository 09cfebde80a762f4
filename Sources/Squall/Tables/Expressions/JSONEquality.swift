// Columns in the form `json` are equal where they contain the same.

/// The comparison of two JSON texts by what they contain.
///
/// The texts of equal values can differ: setting a member appends it behind the others, writes `null` where Swift leaves the member out,
/// and 3.0 where Swift writes 3; other programs add white space.
enum JSONEquality {
    /// Returns `a = b`; NULL where one is NULL.
    static func equal(_ left: SQL, _ right: SQL) -> SQL {
        // SQLite ends a string at U+0000, so texts that have one are equal only as texts.
        """
        (SELECT CASE WHEN l = r THEN 1 WHEN l IS NULL OR r IS NULL THEN NULL \
        WHEN NOT (json_valid(l) AND json_valid(r)) OR instr(l, '\\u0000') OR instr(r, '\\u0000') THEN 0 \
        ELSE NOT EXISTS (\(members("l")) EXCEPT \(members("r"))) AND NOT EXISTS (\(members("r")) EXCEPT \(members("l"))) \
        END FROM (SELECT \(left) AS l, \(right) AS r))
        """
    }

    /// Returns whether JSON is NULL or the text `null`.
    static func isNull(_ json: SQL) -> SQL {
        "coalesce(trim(\(json), char(9, 10, 13, 32)), 'null') = 'null'"
    }

    /// Returns the query of all values in a JSON text, but for members that are `null`, which are as good as missing.
    private static func members(_ json: SQL) -> SQL {
        """
        SELECT fullkey, replace(type, 'real', 'integer'), atom FROM json_tree(\(json)) \
        WHERE NOT (type = 'null' AND typeof(key) = 'text')
        """
    }
}

extension Expr {
    /// Whether the values are JSON in TEXT.
    var isJSON: Bool { form?.isJSON ?? false }

    /// Returns a comparison with other JSON: of what both contain, where it is for equality.
    func jsonComparison(_ sign: String, _ other: SQL) -> Condition {
        switch sign {
        case " = ": Condition(JSONEquality.equal(sql, other), .comparison)
        case " <> ": Condition("NOT " + JSONEquality.equal(sql, other), .comparison)
        default: Condition(operand + SQL(raw: sign) + other, .comparison)
        }
    }
}
