import Squall
import SquallSearch

private let fresh = Item(id: nil, name: "fresh", price: 7)
private let known = Item(id: 2, name: "known", price: 7)
private let many = (1...60).map { Item(id: 100 + $0, name: "many", price: 1) }

extension CallList {
    /// Calls that write declared tables.
    mutating func addWriting() {
        connection("insert(_:)") { try $0.insert(fresh) }
        connection("insert(_:orIgnore:)") { try $0.insert(known, orIgnore: true) }
        connection("insert(contentsOf:)") { try $0.insert(contentsOf: many) }
        connection("insert(contentsOf:into:)") {
            try $0.insert(contentsOf: [(Int64(5), Content.box)], into: Content.boxes)
        }
        connection("insertReturning(_:)") { _ = try $0.insertReturning(fresh) }
        connection("insert(into:from:)") { try $0.insert(into: Copy.self, from: Item.query) }
        connection("insert(into:from:)") {
            try $0.insert(into: Copy.self, from: Item.select { ($0.id, $0.name, $0.price) })
        }
        connection("insert(into:from:onConflict:_:doNothing:)") {
            try $0.insert(into: Copy.self, from: Item.query, onConflict: \.id)
        }
        connection("insert(into:from:onConflict:_:set:where:)") {
            try $0.insert(into: Copy.self, from: Item.query, onConflict: \.id) { $0.name.set(to: $0.excluded.name) }
        }
        connection("prepareInsert(_:)") { try $0.prepareInsert(Item.self).run(fresh) }
        connection("prepareInsert(into:)") { try $0.prepareInsert(into: Item.table).run(nil, "name", 3) }
        connection("replace(_:)") { try $0.replace(known) }
        connection("replace(contentsOf:)") { try $0.replace(contentsOf: many) }
        connection("update(_:_:)") { try $0.update(known) }
        connection("update(_:changedFrom:)") { try $0.update(known, changedFrom: Item(id: 2, name: "", price: 1)) }
        connection("update(_:set:where:)") { connection in
            try connection.update(Item.self) {
                $0.price.set(to: 3)
            } where: {
                $0.id == 2
            }
        }
        connection("update(_:from:set:where:)") { connection in
            try connection.update(Item.self, from: Part.self) { item, part in
                item.price.set(to: 3)
            } where: { item, part in
                item.id == part.owner
            }
        }
        connection("updateReturning(_:set:where:)") { connection in
            _ = try connection.updateReturning(Item.self) {
                $0.price.set(to: 3)
            } where: {
                $0.id == 2
            }
        }
        connection("delete(_:)") { try $0.delete(known) }
        connection("delete(_:where:)") { try $0.delete(Item.self) { $0.price > 3 } }
        connection("deleteReturning(_:where:)") { _ = try $0.deleteReturning(Item.self) { $0.price > 3 } }
    }

    mutating func addUpserts() {
        connection("upsert(_:onConflict:onExpression:trailing:indexWhere:)") { try $0.upsert(known, onConflict: \.id) }
        connection("upsert(_:onConflict:onExpression:trailing:indexWhere:set:where:)") {
            try $0.upsert(known, onConflict: \.id) { $0.price.set(to: 3) }
        }
        connection("upsert(_:onConflict:onExpression:trailing:indexWhere:set:where:returning:)") { connection in
            _ = try connection.upsert(known, onConflict: \.id) {
                $0.price.set(to: 3)
            } returning: {
                $0.price
            }
        }
        connection("insert(contentsOf:onConflict:_:doNothing:)") { try $0.insert(contentsOf: many, onConflict: \.id) }
        connection("insert(contentsOf:onConflict:_:set:where:)") {
            try $0.insert(contentsOf: many, onConflict: \.id) { $0.price.set(to: 3) }
        }
        connection("insert(contentsOf:onConflict:_:set:where:returning:)") { connection in
            _ = try connection.insert(contentsOf: many, onConflict: \.id) {
                $0.price.set(to: 3)
            } returning: {
                $0.price
            }
        }
    }
}
