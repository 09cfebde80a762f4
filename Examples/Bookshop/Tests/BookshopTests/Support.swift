import Foundation
import Squall

@testable import Bookshop

/// A shop with the books 1 to 4, and a customer.
struct Shop {
    let database: Database
    let ada: Int64

    init() async throws {
        database = try await Database.bookshop()
        try await database.write { try $0.fillShelves() }
        ada = try await database.addCustomer(email: "ada@example.com", name: "Ada", address: nil)
    }

    /// Orders copies of books: `[1: 2]` is two copies of the book 1.
    func order(_ books: KeyValuePairs<Int64, Int>, on day: Date = january) async throws -> Int64 {
        let basket = books.map { BasketItem(bookID: $0.key, quantity: $0.value) }
        return try await database.placeOrder(customerID: ada, placed: day, basket: basket)
    }
}
