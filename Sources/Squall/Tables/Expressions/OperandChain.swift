/// Operands with one operator between them.
///
/// A chain in SQL is as deep as it has operands, and SQLite limits the depth of an expression: 1,000 by default. So parts of 256 operands
/// or more are in parentheses.
struct OperandChain: Sendable {
    /// The SQL, or its first part where an operator joins many operands.
    private var first: Part
    /// The further parts. Each has fewer operands than the part before it, so that there are few.
    private var others: [Part] = []

    init(_ operand: SQL) {
        first = Part(sql: operand, count: 1)
    }

    func sql(_ sign: String) -> SQL {
        others.isEmpty ? first.sql : others.reduce(into: first) { $0.append(sign, $1) }.sql
    }

    mutating func append(_ sign: String, _ other: OperandChain) {
        append(sign, other.first)
        for part in other.others { append(sign, part) }
    }

    /// Appends operands. They are joined with the parts before them that do not have more operands: joining them with all would copy the
    /// whole SQL for each operator.
    private mutating func append(_ sign: String, _ part: Part) {
        var part = part
        while var last = others.last, last.count <= part.count {
            others.removeLast()
            last.append(sign, part)
            part = last
        }
        if others.isEmpty, first.count <= part.count {
            first.append(sign, part)
        } else {
            others.append(part)
        }
    }

    private struct Part: Sendable {
        var sql: SQL
        /// The number of operands.
        var count: Int

        private var operand: SQL { count < 256 ? sql : "(\(sql))" }

        mutating func append(_ sign: String, _ other: Part) {
            if count >= 256 { sql = operand }
            sql.append(sign)
            sql += other.operand
            count += other.count
        }
    }
}

extension Expr {
    /// Operands with an operator between them, of which further ones follow without parentheses.
    private init(_ sign: String, _ operands: OperandChain) {
        self.init(ExprParts(operands.sql(sign), .chain(sign, operands), form: nil))
    }

    /// Returns the operands of an operator that the expression is made of; `nil` for any other expression.
    private func operands(of sign: String) -> OperandChain? {
        if case .chain(sign, let operands) = kind { operands } else { nil }
    }
}

extension Expr where Value: StatementParameter {
    /// Returns the expression with an operand behind it. SQLite computes from the left, but for the parts of a chain of 256 operands.
    func followed<Result>(_ sign: String, by operand: SQL) -> Expr<Result> {
        var chain = operands(of: sign) ?? OperandChain(plainOperand)
        chain.append(sign, OperandChain(operand))
        return Expr<Result>(sign, chain)
    }

    /// Returns two texts as one.
    func concatenated<Other: StatementParameter, Result>(_ other: Expr<Other>) -> Expr<Result> {
        let sign = " || "
        var chain = operands(of: sign) ?? OperandChain(plainOperand)
        chain.append(sign, other.operands(of: sign) ?? OperandChain(other.plainOperand))
        return Expr<Result>(sign, chain)
    }
}
