import Squall

extension CallList {
    /// Calls that read declared tables.
    mutating func addReading() {
        connection("all(_:)") { _ = try $0.all(Item.where { $0.price > 3 }) }
        connection("all(_:_:_:)") { _ = try $0.all(Item.self, "SELECT * FROM items WHERE id > ?", 3) }
        connection("all(_:including:)") { _ = try $0.all(Item.self, including: Item.parts) }
        connection("all(_:including:)") { _ = try $0.all(Item.where { $0.price > 3 }, including: Item.parts) }
        connection("all(_:including:_:_:)") { _ = try $0.all(Item.self, including: Item.parts, Item.parts) }
        connection("all(_:including:_:_:)") {
            _ = try $0.all(Item.where { $0.price > 3 }, including: Item.parts, Item.parts)
        }
        connection("all(_:of:where:)") { _ = try $0.all(Item.parts, of: Item(id: 1, name: "", price: 0)) }
        connection("all(_:where:)") { _ = try $0.all(Item.self) { $0.price > 3 } }
        connection("first(_:)") { _ = try $0.first(Item.where { $0.price > 3 }) }
        connection("first(_:_:_:)") { _ = try $0.first(Item.self, "SELECT * FROM items WHERE id > ?", 3) }
        connection("first(_:including:_:)") { _ = try $0.first(Item.where { $0.price > 3 }, including: Item.parts) }
        connection("first(_:of:where:)") { _ = try $0.first(Part.item, of: Part(id: 1, owner: 2)) }
        connection("first(_:where:)") { _ = try $0.first(Item.self) { $0.price > 3 } }
        connection("find(_:_:_:)") { _ = try $0.find(Item.self, 3) }
        connection("find(_:key:)") { _ = try $0.find(Item.self, key: 3) }
        connection("find(_:keys:)") { _ = try $0.find(Item.self, keys: [3, 4]) }
        connection("exists(_:)") { _ = try $0.exists(Item.where { $0.price > 3 }) }
        connection("exists(_:where:)") { _ = try $0.exists(Item.self) { $0.price > 3 } }
        connection("count(_:)") { _ = try $0.count(Item.where { $0.price > 3 }) }
        connection("count(_:where:)") { _ = try $0.count(Item.self) }
        connection("forEach(_:body:)") { try $0.forEach(Item.where { $0.price > 3 }) { _ in } }
        connection("forEach(_:where:body:)") { try $0.forEach(Item.self) { _ in } }
        connection("page(_:)") { _ = try $0.page(Item.order { $0.name.ascending }.page(size: 3)) }
        connection("page(_:after:size:)") { _ = try $0.page(Item.order { $0.name.ascending }, size: 3) }
        connection("page(_:after:size:including:_:)") {
            _ = try $0.page(Item.order { $0.name.ascending }, size: 3, including: Item.parts)
        }
        addAggregates()
        connection("withTable(_:_:_:)") { connection in
            let records = [Item(id: 1, name: "a", price: 1)]
            _ = try connection.withTable("incoming", records) {
                let _: Int = try $0.query("SELECT count(*) FROM incoming")
            }
        }
        connection("withTable(_:_:as:_:)") { connection in
            let records = [Item(id: 1, name: "a", price: 1)]
            _ = try connection.withTable("given", records, as: Item.table) {
                let _: Int = try $0.query("SELECT count(*) FROM given")
            }
        }
    }

    private mutating func addAggregates() {
        connection("average(_:where:)") { _ = try $0.average(\Item.price) }
        connection("groupConcat(_:separator:where:)") { _ = try $0.groupConcat(\Item.name) }
        connection("max(_:where:)") { _ = try $0.max(\Item.price) }
        connection("min(_:where:)") { _ = try $0.min(\Item.price) }
        connection("sum(_:where:)") { _ = try $0.sum(\Item.price) }
        connection("total(_:where:)") { _ = try $0.total(\Item.price) }
    }
}
