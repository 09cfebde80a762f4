import Squall

/// The tables of the page about typed queries: customers with orders, items, categories in a tree.
struct Customer: TableRecord, Equatable {
    let id: Int64
    let name: String
    let city: String
    let manager: Int64?

    static let table = Table("customers", Customer.init) {
        Column("id", \Customer.id, .primaryKey)
        Column("name", \Customer.name)
        Column("city", \Customer.city)
        Column("manager", \Customer.manager)
    }
}

struct Order: TableRecord, Equatable {
    let id: Int64
    let customer: Int64
    let item: Int64
    let coupon: Int64?
    let price: Double

    static let table = Table("orders", Order.init) {
        Column("id", \Order.id, .primaryKey)
        Column("customer", \Order.customer)
        Column("item", \Order.item)
        Column("coupon", \Order.coupon)
        Column("price", \Order.price)
    }
}

struct Item: TableRecord, Equatable {
    let id: Int64
    let name: String
    let category: Int64

    static let table = Table("items", Item.init) {
        Column("id", \Item.id, .primaryKey)
        Column("name", \Item.name)
        Column("category", \Item.category)
    }
}

struct Category: TableRecord, Equatable {
    let id: Int64
    let parent: Int64?
    let name: String

    static let table = Table("categories", Category.init) {
        Column("id", \Category.id, .primaryKey)
        Column("parent", \Category.parent)
        Column("name", \Category.name)
    }
}

enum Shop {
    static func connection() throws -> Connection {
        let connection = try Connection()
        try connection.create(Customer.table)
        try connection.create(Order.table)
        try connection.create(Item.table)
        try connection.create(Category.table)
        try connection.insert(contentsOf: [
            Customer(id: 1, name: "Ada", city: "Oslo", manager: nil),
            Customer(id: 2, name: "Bo", city: "Oslo", manager: 1),
            Customer(id: 3, name: "Cy", city: "Rome", manager: 1),
        ])
        try connection.insert(contentsOf: [
            Order(id: 1, customer: 1, item: 1, coupon: nil, price: 10),
            Order(id: 2, customer: 1, item: 2, coupon: 1, price: 20),
            Order(id: 3, customer: 2, item: 1, coupon: nil, price: 5),
        ])
        try connection.insert(contentsOf: [
            Item(id: 1, name: "Tyre", category: 3), Item(id: 2, name: "Lamp", category: 2),
            Item(id: 3, name: "Belt", category: 1),
        ])
        try connection.insert(contentsOf: [
            Category(id: 1, parent: nil, name: "Car"), Category(id: 2, parent: 1, name: "Light"),
            Category(id: 3, parent: 1, name: "Wheel"), Category(id: 4, parent: 3, name: "Spoke"),
        ])
        return connection
    }
}
