import SquallBase

extension ScopeCondition {
    /// Whether a row can enter or leave only because of a row that a subquery finds, so that the rows which a change of another table concerns are
    /// found with its changed rows alone.
    ///
    /// That is so where subqueries only join tables, follow `IN` and `EXISTS`, and are combined by `AND` and `OR`: without negations, functions and
    /// values of subqueries. Each table has one place. Where this is not certain, all rows are compared.
    static func isMonotone(_ tokens: [Token], reading tables: [Identifier]) -> Bool {
        let tokens = tokens.filter { !$0.isBlank }
        for table in tables {
            let places = tokens.indices.filter {
                // SQLite takes text for a name where only a name can be.
                let isName =
                    tokens[$0].isName(table.spelling)
                    || tokens[$0].kind == .text && Identifier(tokens[$0].text) == table
                return isName && !($0 + 1 < tokens.count && tokens[$0 + 1].is("."))
            }
            if places.count != 1 { return false }
        }
        var groups: [Group] = []
        for (index, token) in tokens.enumerated() {
            let before = index > 0 ? word(tokens[index - 1]) : "START"
            let after = index + 1 < tokens.count ? word(tokens[index + 1]) : "END"
            let kind = word(token)
            switch kind {
            case "(":
                let isSubquery = after == "SELECT"
                let places =
                    isSubquery
                    ? ["IN", "EXISTS", "FROM", "JOIN"] : ["START", "(", "AND", "OR", "WHERE", "ON", "IN", "USING"]
                if !places.contains(before) || groups.last?.hasOnlyValues == true { return false }
                groups.append(Group(before: before, isSubquery: isSubquery, isList: !isSubquery))
                continue
            case ")":
                guard let group = groups.popLast() else { return false }
                let isTable = ["FROM", "JOIN", "USING"].contains(group.before)
                let isFollowedWell =
                    ["END", ")", "AND", "OR", "UNION"].contains(after) || group.isList && after == "IN"
                if !isTable, !isFollowedWell { return false }
                if !group.isList, !groups.isEmpty { groups[groups.count - 1].isList = false }
                continue
            case "COMPARISON":
                if before == ")" || after == "(" || after == "EXISTS" { return false }
            case "IN":
                if after != "(" { return false }
            case "EXISTS":
                if after != "(" || !["START", "(", "AND", "OR", "WHERE", "ON"].contains(before) { return false }
            case "*":
                if before != "SELECT" { return false }
            case "VALUE", ".", ",", "SELECT", "DISTINCT", "FROM", "JOIN", "INNER", "CROSS", "ON", "USING", "AS",
                "WHERE", "AND", "OR",
                "UNION", "ALL":
                break
            default: return false
            }
            guard !["VALUE", ".", ","].contains(kind), !groups.isEmpty else { continue }
            let isOfTruth = ["AND", "OR", "IN", "EXISTS", "COMPARISON"].contains(kind)
            if isOfTruth, groups[groups.count - 1].hasOnlyValues { return false }
            groups[groups.count - 1].isList = false
            if kind == "SELECT" { groups[groups.count - 1].isResult = true }
            if kind == "FROM" || kind == "WHERE" { groups[groups.count - 1].isResult = false }
        }
        return groups.isEmpty
    }

    /// A group in parentheses.
    private struct Group {
        /// The token before it.
        let before: String
        let isSubquery: Bool
        /// Whether it has only names and values.
        var isList: Bool
        /// Whether the columns of a subquery are read.
        var isResult = false

        /// Whether it is compared by its values, among which truth would be one: the list of an `IN`, and the columns of a subquery.
        var hasOnlyValues: Bool { isResult || before == "IN" && !isSubquery }
    }

    /// A word of SQL or a sign; `VALUE` for a name, a literal and a parameter.
    private static func word(_ token: Token) -> String {
        switch token.kind {
        case .sign: ["=", "==", "<>", "!=", "<", ">", "<=", ">="].contains(token.source) ? "COMPARISON" : token.source
        case .word where token.isReserved || token.isName("EXISTS") || token.isName("WITH"): token.source.uppercased()
        default: "VALUE"
        }
    }
}
