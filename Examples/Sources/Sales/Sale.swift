import Foundation
import Squall

/// A sale of a shop.
struct Sale: TableRecord {
    struct Details: Codable, Hashable {
        var color: String?
        var sizes: [Int]
        var gift = false
    }

    let id: Int
    let product: String
    let shop: String?
    let amount: Int
    let isPaid: Bool?
    let sold: Date
    let details: Details

    static let table = Table("sales", Sale.init, .index("sales_by_shop", on: "shop", "sold")) {
        Column("id", \Sale.id, .primaryKey)
        Column("product", \Sale.product)
        Column("shop", \Sale.shop)
        Column("amount", \Sale.amount)
        Column("is_paid", \Sale.isPaid)
        Column("sold", \Sale.sold, as: .unixTime)
        Column("details", \Sale.details, as: .json)
    }
}

extension Sale {
    /// The sales of some days of November 2026. Who typed them in was in a hurry.
    static let examples: [Sale] = [
        sale(1, "shirt", "Oslo", 2_000, true, day: 2, hour: 9, color: "red", sizes: [38]),
        sale(2, " Shirt ", "Oslo", 2_500, true, day: 2, hour: 17, color: "blue", sizes: [40, 42]),
        sale(3, "shoes", "Bergen", 8_000, false, day: 3, hour: 12, color: nil, sizes: [43]),
        sale(4, "shirt", "", 2_000, nil, day: 7, hour: 10, color: "red", sizes: [36, 38, 40]),
        sale(5, "coat", "Bergen", 15_000, true, day: 9, hour: 17, color: "blue", sizes: []),
        sale(6, "shoes-old", nil, 3_000, false, day: 9, hour: 9, color: nil, sizes: [41]),
        sale(7, "coat", "Oslo", 15_000, true, day: 10, hour: 12, color: "grey", sizes: [44], gift: true),
    ]

    private static func sale(
        _ id: Int, _ product: String, _ shop: String?, _ amount: Int, _ isPaid: Bool?, day: Int, hour: Int,
        color: String?, sizes: [Int], gift: Bool = false
    ) -> Sale {
        // The first of November 2026, at midnight in UTC.
        let sold = Date(timeIntervalSince1970: 1_793_491_200 + Double((day - 1) * 86_400 + hour * 3_600))
        return Sale(
            id: id, product: product, shop: shop, amount: amount, isPaid: isPaid, sold: sold,
            details: Details(color: color, sizes: sizes, gift: gift))
    }
}
