import Foundation
import Squall
import Testing

@testable import Bookshop

@Suite struct OrderTests {
    @Test func aCustomerIsFoundByAnyCaseOfTheEmail() async throws {
        let shop = try await Shop()
        let home = Address(street: "10 Downing Street", city: "London")
        let bob = try await shop.database.addCustomer(email: "bob@example.com", name: "Bob", address: home)
        let found = try await shop.database.customer(email: "BOB@example.com")
        #expect(found?.id == bob)
        #expect(found?.address == home)
        #expect(try await shop.database.customer(email: "ada@example.com")?.address == nil)
        #expect(try await shop.database.customer(email: "eve@example.com") == nil)
    }

    @Test func anOrderTakesItsBooksFromTheStock() async throws {
        let shop = try await Shop()
        let id = try await shop.order([1: 2, 3: 1])

        let order = try #require(try await shop.database.order(id: id))
        #expect(order.customer.name == "Ada")
        #expect((order.placed, order.status, order.total) == (january, .open, 2 * 999 + 1299))
        #expect(
            try await shop.database.orderLines(orderID: id) == [
                OrderLine(title: "Emma", quantity: 2, price: 999),
                OrderLine(title: "Murder on the Orient Express", quantity: 1, price: 1299),
            ])
        #expect(try await shop.database.books(ids: [1, 3]).map(\.stock) == [3, 1])
    }

    @Test func anOrderWithoutCopiesWritesNothing() async throws {
        let shop = try await Shop()
        await #expect { try await shop.order([1: 1, 4: 2]) } throws: { ResultCode.constraintCheck ~= $0 }
        await #expect { try await shop.order([1: 1, 99: 1]) } throws: { ResultCode.constraintNotNull ~= $0 }
        await #expect(throws: ConversionError.self) { try await shop.order([:]) }

        #expect(try await shop.database.order(id: 1) == nil)
        #expect(try await shop.database.books(ids: [1]).map(\.stock) == [5])
    }

    @Test func aPriceThatChangesLaterChangesNoOrder() async throws {
        let shop = try await Shop()
        let id = try await shop.order([1: 1])
        _ = try await shop.database.receiveBook(
            isbn: "978-0-14-143958-7", title: "Emma", authorID: 1, genreID: 2, price: 1, copies: 0, tags: [],
            isSigned: false, blurb: "")
        #expect(try await shop.database.order(id: id)?.total == 999)
    }

    @Test func anOrderIsShippedOnce() async throws {
        let shop = try await Shop()
        let id = try await shop.order([1: 1])
        #expect(try await shop.database.ship(id: id) == 1)
        #expect(try await shop.database.ship(id: id) == 0)
        #expect(try await shop.database.order(id: id)?.status == .shipped)
    }

    @Test func ordersAreFoundByTheirStatusAndTheirDay() async throws {
        let shop = try await Shop()
        let early = try await shop.order([1: 1], on: january)
        let late = try await shop.order([1: 1], on: february)
        #expect(try await shop.database.orderIDs(status: .open, since: january, until: february) == [early])
        #expect(try await shop.database.orderIDs(status: .open, since: january, until: february + 1) == [early, late])
        try await shop.database.ship(id: early)
        #expect(try await shop.database.orderIDs(status: .open, since: january, until: february + 1) == [late])
    }
}
