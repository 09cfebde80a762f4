import Squall

// The types that the SQL files name in their comments.

/// Stored by its raw value, as TEXT.
enum OrderStatus: String, Binding {
    case open, shipped
}

/// Stored as JSON.
struct Address: Codable, Hashable {
    let street: String
    let city: String
}

/// A book that a customer wants to buy. A basket is a parameter, as JSON.
struct BasketItem: Codable {
    let bookID: Int64
    let quantity: Int
}
