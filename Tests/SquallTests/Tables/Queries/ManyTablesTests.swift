import Squall
import Testing

/// Every clause on each number of tables. The first and the last table of each closure appear in its SQL.
struct ManyTablesTests {
    private struct Pair: Equatable {
        let first: String
        let last: Int
    }

    private let connection: Connection

    init() throws {
        connection = try Connection()
        try connection.create(Customer.table)
        for (id, name) in [(1, "Ada"), (2, "Bo"), (3, "Cy")] {
            try connection.insert(Customer(id: Int64(id), name: name, city: id > 2 ? "Oslo" : "Rome", manager: nil))
        }
    }

    /// Returns the SQL from its WHERE on.
    private func clauses(_ query: some Selection) -> Substring {
        let text = query.sql.debugDescription
        return text.firstRange(of: "WHERE").map { text[$0.lowerBound...] } ?? ""
    }

    private func head(_ query: some Selection) -> Substring {
        let text = query.sql.debugDescription
        return text.firstRange(of: " FROM").map { text[..<$0.lowerBound] } ?? ""
    }

    @Test func onTwoTables() throws {
        let tables = Customer.join(Customer.self) { $1.id == $0.id }
        let grouped = tables.where { a, b in a.id > 0 && b.id < 9 }
            .group { a, _ in a.city }
            .group { a, b in (a.name, b.id) }
            .having { a, b in a.id.count() > 0 && b.id.max() > 1 }
            .order { a, b in
                a.name.descending; b.id
            }
        let query = grouped.limit(2).select { a, b in (a.name, b.id) }
        #expect(head(query) == #"SELECT "customers"."name", "customers_2"."id""#)
        #expect(
            clauses(query) == """
                WHERE "customers"."id" > 0 AND "customers_2"."id" < 9 \
                GROUP BY "customers"."city", "customers"."name", "customers_2"."id" \
                HAVING count("customers"."id") > 0 AND max("customers_2"."id") > 1 \
                ORDER BY "customers"."name" DESC, "customers_2"."id" ASC LIMIT 2
                """)
        #expect(try connection.all(query).map { "\($0) \($1)" } == ["Cy 3", "Bo 2"])
        #expect(try connection.all(grouped.select { _, b in b.city }.distinct()) == ["Oslo", "Rome"])
        let last = grouped.select { a, b in (a.id, b.record) }.where { _, b in b.city == "Oslo" }
            .having { a, _ in a.id.min() == 3 }.group { a, _ in a.id }.order { _, b in b.city }
        let records = try connection.all(last)
        #expect(records.map(\.0) == [3] && records.map(\.1.name) == ["Cy"])
        #expect(
            try connection.all(grouped.select(into: Pair.init) { a, b in (a.name, b.id.count()) })
                == [Pair(first: "Cy", last: 1), Pair(first: "Bo", last: 1)])
        #expect(try connection.all(grouped.select(into: { "<\($0)>" }) { _, b in b.name }) == ["<Cy>", "<Bo>"])
    }

    @Test func onThreeTables() throws {
        let tables = Customer.join(Customer.self) { $1.id == $0.id }
            .join(Customer.self) { $2.id == $0.id }
        let grouped = tables.where { a, b, c in a.id > 0 && c.id < 9 }
            .group { a, _, _ in a.city }
            .group { a, _, c in (a.name, c.id) }
            .having { a, _, c in a.id.count() > 0 && c.id.max() > 1 }
            .order { a, _, c in
                a.name.descending; c.id
            }
        let query = grouped.limit(2).select { a, _, c in (a.name, c.id) }
        #expect(head(query) == #"SELECT "customers"."name", "customers_3"."id""#)
        #expect(
            clauses(query) == """
                WHERE "customers"."id" > 0 AND "customers_3"."id" < 9 \
                GROUP BY "customers"."city", "customers"."name", "customers_3"."id" \
                HAVING count("customers"."id") > 0 AND max("customers_3"."id") > 1 \
                ORDER BY "customers"."name" DESC, "customers_3"."id" ASC LIMIT 2
                """)
        #expect(try connection.all(query).map { "\($0) \($1)" } == ["Cy 3", "Bo 2"])
        #expect(try connection.all(grouped.select { _, _, c in c.city }.distinct()) == ["Oslo", "Rome"])
        let last = grouped.select { a, _, c in (a.id, c.record) }.where { _, _, c in c.city == "Oslo" }
            .having { a, _, _ in a.id.min() == 3 }.group { a, _, _ in a.id }.order { _, _, c in c.city }
        let records = try connection.all(last)
        #expect(records.map(\.0) == [3] && records.map(\.1.name) == ["Cy"])
        #expect(
            try connection.all(grouped.select(into: Pair.init) { a, _, c in (a.name, c.id.count()) })
                == [Pair(first: "Cy", last: 1), Pair(first: "Bo", last: 1)])
        #expect(try connection.all(grouped.select(into: { "<\($0)>" }) { _, _, c in c.name }) == ["<Cy>", "<Bo>"])
    }

    @Test func onFourTables() throws {
        let tables = Customer.join(Customer.self) { $1.id == $0.id }
            .join(Customer.self) { $2.id == $0.id }
            .join(Customer.self) { $3.id == $0.id }
        let grouped = tables.where { a, b, c, d in a.id > 0 && d.id < 9 }
            .group { a, _, _, _ in a.city }
            .group { a, _, _, d in (a.name, d.id) }
            .having { a, _, _, d in a.id.count() > 0 && d.id.max() > 1 }
            .order { a, _, _, d in
                a.name.descending; d.id
            }
        let query = grouped.limit(2).select { a, _, _, d in (a.name, d.id) }
        #expect(head(query) == #"SELECT "customers"."name", "customers_4"."id""#)
        #expect(
            clauses(query) == """
                WHERE "customers"."id" > 0 AND "customers_4"."id" < 9 \
                GROUP BY "customers"."city", "customers"."name", "customers_4"."id" \
                HAVING count("customers"."id") > 0 AND max("customers_4"."id") > 1 \
                ORDER BY "customers"."name" DESC, "customers_4"."id" ASC LIMIT 2
                """)
        #expect(try connection.all(query).map { "\($0) \($1)" } == ["Cy 3", "Bo 2"])
        #expect(try connection.all(grouped.select { _, _, _, d in d.city }.distinct()) == ["Oslo", "Rome"])
        let last = grouped.select { a, _, _, d in (a.id, d.record) }.where { _, _, _, d in d.city == "Oslo" }
            .having { a, _, _, _ in a.id.min() == 3 }.group { a, _, _, _ in a.id }.order { _, _, _, d in d.city }
        let records = try connection.all(last)
        #expect(records.map(\.0) == [3] && records.map(\.1.name) == ["Cy"])
        #expect(
            try connection.all(grouped.select(into: Pair.init) { a, _, _, d in (a.name, d.id.count()) })
                == [Pair(first: "Cy", last: 1), Pair(first: "Bo", last: 1)])
        #expect(try connection.all(grouped.select(into: { "<\($0)>" }) { _, _, _, d in d.name }) == ["<Cy>", "<Bo>"])
    }
}
