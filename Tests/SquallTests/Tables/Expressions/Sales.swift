import Foundation
import Squall

/// Where something was sold.
struct SalePlace: Codable, Sendable, Equatable {
    var city = "", spot = SaleSpot()
}

struct SaleSpot: Codable, Sendable, Equatable {
    var latitude = 0.0
}

/// What a customer chose.
struct SaleChoices: Codable, Sendable, Equatable {
    var theme: String?, size = 1, isLoud = false
}

struct Sale: Initializable, TableRecord, Equatable {
    var id = 0
    var place = SalePlace()
    var count = 1
    var large: Int64 = 0
    var price = 0.0
    var discount: Double?
    var note: String?
    var sold = Date(timeIntervalSince1970: 0)
    var paid = Date(timeIntervalSince1970: 0)
    var sent = Date(timeIntervalSince1970: 0)
    var choices = SaleChoices()
    var last: SaleChoices?
    var tags: [String] = []

    static let table = Table("sales", Sale.self) {
        Column("id", \Sale.id, .primaryKey)
        Column("city", \Sale.place.city)
        Column("latitude", \Sale.place.spot.latitude)
        Column("count", \Sale.count)
        Column("large", \Sale.large)
        Column("price", \Sale.price)
        Column("discount", \Sale.discount)
        Column("note", \Sale.note)
        Column("sold", \Sale.sold)
        Column("paid", \Sale.paid, as: .unixMilliseconds)
        Column("sent", \Sale.sent, as: .unixTime)
        Column("choices", \Sale.choices, as: .json)
        Column("last", \Sale.last, as: .json)
        Column("tags", \Sale.tags, as: .json)
    }

    static func make(_ id: Int, _ city: String, _ count: Int, _ price: Double) -> Sale {
        var sale = Sale()
        (sale.id, sale.place.city, sale.count, sale.price, sale.large) = (id, city, count, price, Int64(count))
        return sale
    }

    /// A database with four sales: in Oslo 1 × 10 and 3 × 2.5, in Bergen 2 × 4 and 5 × 1.
    static func database() throws -> Connection {
        let connection = try Connection()
        try connection.create(Sale.table)
        try connection.insert(contentsOf: [
            make(1, "Oslo", 1, 10), make(2, "Bergen", 2, 4), make(3, "Oslo", 3, 2.5), make(4, "Bergen", 5, 1),
        ])
        return connection
    }

    /// Returns the SQL of a selected expression as it runs, with its values in place and the name of the table left out.
    static func sql<Value: ColumnStorable>(_ expression: (Columns<Sale>) -> Expr<Value>) -> String {
        let sql = Sale.select(expression).sql.debugDescription
        return String(sql.dropFirst("SELECT ".count))
            .replacing(#""sales"."#, with: "").replacing(#" FROM "sales""#, with: "")
    }
}
