/// Operands with one operator between them.
///
/// A chain in SQL is as deep as it has operands, and SQLite limits the depth of an expression: 1,000 by default. So parts of 256 operands
/// or more are in parentheses.
struct OperandChain: Sendable {
    /// The SQL of the operands, in parts: neighbours are joined when neither has more than twice the operands of the other. Joining each
    /// operand with all before it would copy the whole SQL for each operator.
    private var first: Part
    private var others: [Part] = []

    init(_ operand: SQL) {
        first = Part(sql: operand, count: 1)
    }

    func sql(_ sign: String) -> SQL {
        others.isEmpty ? first.sql : Part(joining: [first] + others, sign).sql
    }

    mutating func append(_ sign: String, _ other: OperandChain) {
        if others.isEmpty, other.others.isEmpty, first.resembles(other.first) { return first.append(sign, other.first) }
        var parts = [first] + others
        var seam = parts.count
        parts.append(other.first)
        parts += other.others
        while (1..<parts.count).contains(seam), parts[seam - 1].resembles(parts[seam]) {
            parts[seam - 1].append(sign, parts.remove(at: seam))
            // The joined part, beside the one before it or the one behind it.
            if seam > 1, parts[seam - 2].resembles(parts[seam - 1]) { seam -= 1 }
        }
        first = parts[0]
        others = Array(parts.dropFirst())
    }

    private struct Part: Sendable {
        var sql: SQL
        /// The number of operands.
        var count: Int

        init(sql: SQL, count: Int) {
            self.sql = sql
            self.count = count
        }

        /// Joins parts by halves, so that none is deep in the others.
        init(joining parts: [Part], _ sign: String) {
            guard parts.count > 1 else { self = parts[0]; return }
            self.init(joining: Array(parts[..<(parts.count / 2)]), sign)
            append(sign, Part(joining: Array(parts[(parts.count / 2)...]), sign))
        }

        func resembles(_ other: Part) -> Bool { count <= 2 * other.count && other.count <= 2 * count }

        private var operand: SQL { count < 256 ? sql : "(\(sql))" }

        mutating func append(_ sign: String, _ other: Part) {
            if count >= 256 { sql = operand }
            sql.append(sign)
            sql += other.operand
            count += other.count
        }
    }
}
