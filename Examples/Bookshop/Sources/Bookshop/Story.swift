import Foundation
import Squall
import SquallSearch

/// Fills the shelves, sells books, and looks at the accounts.
func story(in database: Database, tell: @Sendable (String) -> Void) async throws {
    // Several queries in one transaction are functions of its connection.
    try await database.write { try $0.fillShelves() }

    tell("The catalogue")
    try await database.read { connection in
        try connection.catalogue { book in
            tell("    \(book.title), \(book.author?.name ?? "anonymous"): \(book.price.asEuros)")
        }
    }

    tell("Fiction")
    for genre in try await database.genresBelow(name: "Fiction").dropFirst() {
        tell("    \(genre.name): \(genre.books) books")
    }

    tell("Books with \"woman\"")
    for hit in try await database.search(words: SearchPattern.allWords("woman").text, limit: 10) {
        tell("    \(hit.title): \(hit.blurb)")
    }

    tell("Ada buys two books")
    let ada = try await database.addCustomer(
        email: "ada@example.com", name: "Ada", address: Address(street: "12 St James's Square", city: "London"))
    let first = try await database.placeOrder(
        customerID: ada, placed: january,
        basket: [BasketItem(bookID: 1, quantity: 2), BasketItem(bookID: 3, quantity: 1)])
    try await database.ship(id: first)
    if let order = try await database.order(id: first) {
        tell(
            "    \(order.customer.name) in \(order.customer.address?.city ?? "the shop"): \(order.total.asEuros), \(order.status)"
        )
    }
    for line in try await database.orderLines(orderID: first) { tell("    \(line.quantity) × \(line.title)") }

    tell("Bob wants the poem, and then a second copy")
    let bob = try await database.addCustomer(email: "bob@example.com", name: "Bob", address: nil)
    let poem = [BasketItem(bookID: 4, quantity: 1)]
    _ = try await database.placeOrder(customerID: bob, placed: february, basket: poem)
    do {
        _ = try await database.placeOrder(customerID: bob, placed: february, basket: poem)
    } catch ResultCode.constraintCheck {
        tell("    It is sold out.")
    }

    tell("The accounts")
    for month in try await database.revenue() {
        tell("    \(month.month): \(month.revenue.asEuros), in total \(month.total.asEuros)")
    }
    tell("    In stock: \(try await database.stockValue().asEuros)")
}

/// 15 January 2026.
let january = Date(timeIntervalSince1970: 1_768_435_200)
/// 10 February 2026.
let february = Date(timeIntervalSince1970: 1_770_681_600)

extension Int {
    /// An amount in cents as text: `9.99 €`.
    fileprivate var asEuros: String { "\(self / 100).\(self % 100 < 10 ? "0" : "")\(self % 100) €" }
}
