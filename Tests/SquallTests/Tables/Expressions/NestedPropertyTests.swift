import Squall
import Testing

/// Columns of properties of properties.
struct NestedPropertyTests {
    private struct Home { var street = "", zip: String? }
    private struct Owner: Initializable { var id = 0, home: Home? }
    private let owners = Table("owners", Owner.self) {
        Column("id", \Owner.id, .primaryKey)
        Column("zip", \Owner.home?.zip)
    }
    let connection: Connection

    init() throws { connection = try Sale.database() }

    @Test func aNestedPropertyIsItsColumn() throws {
        let query = Sale.where { $0.place.city == "Oslo" && $0.place.spot.latitude < 1 }.order {
            $0.place.city.descending
        }
        #expect(
            query.sql.text.hasSuffix(
                #"WHERE "sales"."city" = ? AND "sales"."latitude" < ? ORDER BY "sales"."city" DESC"#))
        #expect(try connection.all(query).map(\.id) == [1, 3])
        let three = Sale.query.order { $0.id.ascending }.select { ($0.place.city, $0.place.spot.latitude) }
        #expect(try connection.all(three).map(\.0) == ["Oslo", "Bergen", "Oslo", "Bergen"])
    }

    @Test func aNestedPropertyIsSet() throws {
        try connection.update(Sale.self) {
            $0.place.city.set(to: "Moss")
            $0.place.spot.latitude.set(to: $0.place.spot.latitude + 59.5)
        } where: {
            $0.place.city == "Oslo"
        }
        let moss = try connection.all(Sale.self) { $0.place.city == "Moss" }
        #expect(
            moss.map(\.place) == Array(repeating: SalePlace(city: "Moss", spot: SaleSpot(latitude: 59.5)), count: 2))
    }

    @Test func aNestedPropertyOfALeftJoinIsOptional() throws {
        let query = Sale.where { $0.id < 3 }.leftJoin(Sale.self) { $0.id == $1.count - 1 && $1.place.city == "Bergen" }
            .select { ($0.id, $1.place.city, $1.place.spot.latitude) }
        let rows: [(Int, String?, Double?)] = try connection.all(query)
        #expect(rows.map(\.1) == ["Bergen", nil])
        #expect(rows.map(\.2) == [0, nil])
    }

    @Test func aPropertyWithoutAColumnThrowsWithItsPath() throws {
        let unknown = #expect(throws: SQLiteError.self) { try connection.all(Sale.select { $0.place.city.hashValue }) }
        #expect(unknown?.message.contains(#""sales"."city" has no column for its property"#) == true)
        let outer = #expect(throws: SQLiteError.self) { try connection.all(Sale.order { $0.place.spot.ascending }) }
        #expect(outer?.message.contains(#"the table "sales" has no column for"#) == true)
        #expect(outer?.message.contains("place.spot") == true)
    }

    @Test func aPropertyOfAnOptionalIsNamedByItsKeyPath() throws {
        #expect(owners.where { $0[\.home?.zip] == "1" }.sql.text.hasSuffix(#"WHERE "owners"."zip" = ?"#))
        let error = #expect(throws: SQLiteError.self) { try connection.all(owners.where { $0.home.zip == "1" }) }
        #expect(error?.message.contains("is optional") == true)
    }

    @Test func aPropertyOfALeftJoinIsNamedByItsKeyPath() throws {
        let query = Sale.where { $0.id < 3 }.leftJoin(Sale.self) { $0.id == $1.count - 1 && $1.place.city == "Bergen" }
            .select { ($0.id, $1[\.place.city], $1[\.discount]) }
        #expect(query.sql.text.hasPrefix(#"SELECT "sales"."id", "sales_2"."city", "sales_2"."discount" FROM "sales""#))
        let rows: [(Int, String?, Double?)] = try connection.all(query)
        #expect(rows.map(\.1) == ["Bergen", nil])
    }
}
