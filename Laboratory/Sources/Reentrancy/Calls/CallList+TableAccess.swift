import Squall

private let fresh = Item(id: nil, name: "fresh", price: 7)
private let known = Item(id: 2, name: "known", price: 7)
private let many = (1...60).map { Item(id: 100 + $0, name: "many", price: 1) }

extension CallList {
    /// Calls of the records of a declared table.
    mutating func addTableAccess() {
        begin("Connection.TableAccess")
        addReadingOfTable()
        addWritingOfTable()
    }

    private mutating func addReadingOfTable() {
        connection("all(_:_:)") { _ = try $0.table(Item.table).all("SELECT * FROM items") }
        connection("all(where:)") { _ = try $0.table(Item.table).all { $0.price > 3 } }
        connection("first(_:_:)") { _ = try $0.table(Item.table).first("SELECT * FROM items") }
        connection("first(where:)") { _ = try $0.table(Item.table).first { $0.price > 3 } }
        connection("find(_:_:)") { _ = try $0.table(Item.table).find(3) }
        connection("find(key:)") { _ = try $0.table(Item.table).find(key: 3) }
        connection("find(keys:)") { _ = try $0.table(Item.table).find(keys: [3, 4]) }
        connection("exists(where:)") { _ = try $0.table(Item.table).exists() }
        connection("count(where:)") { _ = try $0.table(Item.table).count() }
        connection("forEach(where:body:)") { try $0.table(Item.table).forEach { _ in } }
        connection("average(_:where:)") { _ = try $0.table(Item.table).average(\Item.price) }
        connection("groupConcat(_:separator:where:)") { _ = try $0.table(Item.table).groupConcat(\Item.name) }
        connection("max(_:where:)") { _ = try $0.table(Item.table).max(\Item.price) }
        connection("min(_:where:)") { _ = try $0.table(Item.table).min(\Item.price) }
        connection("sum(_:where:)") { _ = try $0.table(Item.table).sum(\Item.price) }
        connection("total(_:where:)") { _ = try $0.table(Item.table).total(\Item.price) }
        connection("rows(_:_:)") { connection in
            var cursor = try connection.table(Item.table).rows("SELECT * FROM items")
            while try cursor.next() != nil {}
        }
    }

    private mutating func addWritingOfTable() {
        connection("insert(_:)") { try $0.table(Item.table).insert(fresh) }
        connection("insert(_:orIgnore:)") { try $0.table(Item.table).insert(known, orIgnore: true) }
        connection("insert(contentsOf:)") { try $0.table(Item.table).insert(contentsOf: many) }
        connection("insertReturning(_:)") { _ = try $0.table(Item.table).insertReturning(fresh) }
        connection("prepareInsert()") { try $0.table(Item.table).prepareInsert().run(fresh) }
        connection("replace(_:)") { try $0.table(Item.table).replace(known) }
        connection("replace(contentsOf:)") { try $0.table(Item.table).replace(contentsOf: many) }
        connection("update(_:_:)") { try $0.table(Item.table).update(known) }
        connection("update(_:changedFrom:)") {
            try $0.table(Item.table).update(known, changedFrom: Item(id: 2, name: "", price: 1))
        }
        connection("update(set:where:)") { connection in
            try connection.table(Item.table).update {
                $0.price.set(to: 3)
            } where: {
                $0.id == 2
            }
        }
        connection("update(from:set:where:)") { connection in
            try connection.table(Item.table).update(from: Part.table) { item, part in
                item.price.set(to: 3)
            } where: { item, part in
                item.id == part.owner
            }
        }
        connection("updateReturning(set:where:)") { connection in
            _ = try connection.table(Item.table).updateReturning {
                $0.price.set(to: 3)
            } where: {
                $0.id == 2
            }
        }
        connection("delete(_:)") { try $0.table(Item.table).delete(known) }
        connection("delete(where:)") { try $0.table(Item.table).delete { $0.price > 3 } }
        connection("deleteReturning(where:)") { _ = try $0.table(Item.table).deleteReturning { $0.price > 3 } }
        connection("upsert(_:onConflict:onExpression:trailing:indexWhere:)") {
            try $0.table(Item.table).upsert(known, onConflict: \.id)
        }
        connection("upsert(_:onConflict:onExpression:trailing:indexWhere:set:where:)") {
            try $0.table(Item.table).upsert(known, onConflict: \.id) { $0.price.set(to: 3) }
        }
        connection("upsert(_:onConflict:onExpression:trailing:indexWhere:set:where:returning:)") { connection in
            _ = try connection.table(Item.table).upsert(known, onConflict: \.id) {
                $0.price.set(to: 3)
            } returning: {
                $0.price
            }
        }
        connection("insert(contentsOf:onConflict:_:doNothing:)") {
            try $0.table(Item.table).insert(contentsOf: many, onConflict: \.id)
        }
        connection("insert(contentsOf:onConflict:_:set:where:)") {
            try $0.table(Item.table).insert(contentsOf: many, onConflict: \.id) { $0.price.set(to: 3) }
        }
        connection("insert(contentsOf:onConflict:_:set:where:returning:)") { connection in
            _ = try connection.table(Item.table).insert(contentsOf: many, onConflict: \.id) {
                $0.price.set(to: 3)
            } returning: {
                $0.price
            }
        }
    }
}
