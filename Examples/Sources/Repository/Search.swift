import Squall

/// The fields of a search. Each one that is filled in adds a condition, whose value is bound.
struct Search {
    var name: String?
    var prices: ClosedRange<Int>?
    var ids: [Int] = []

    func sql(from table: String) -> SQL {
        var conditions: [SQL] = []
        if let name { conditions.append("name LIKE \("%\(name)%")") }
        if let prices { conditions.append("price BETWEEN \(prices.lowerBound) AND \(prices.upperBound)") }
        if !ids.isEmpty { conditions.append("id IN \(in: ids)") }
        var sql: SQL = "SELECT * FROM \(name: table)"
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        return sql + " ORDER BY id"
    }
}
