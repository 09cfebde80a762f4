import Squall
import Testing

@testable import Bookshop

@Suite struct ReportTests {
    @Test func theStockHasAValue() async throws {
        let shop = try await Shop()
        #expect(try await shop.database.stockValue() == 5 * 999 + 3 * 899 + 2 * 1299 + 1499)
        #expect(try await Database.bookshop().stockValue() == 0)
    }

    @Test func theRevenueOfTheMonthsIsAddedUp() async throws {
        let shop = try await Shop()
        _ = try await shop.order([1: 1], on: january)
        _ = try await shop.order([2: 2], on: january)
        _ = try await shop.order([4: 1], on: february)
        #expect(
            try await shop.database.revenue() == [
                MonthlyRevenue(month: "2026-01", revenue: 999 + 2 * 899, total: 999 + 2 * 899),
                MonthlyRevenue(month: "2026-02", revenue: 1499, total: 999 + 2 * 899 + 1499),
            ])
    }

    @Test func eachGenreHasItsBestsellers() async throws {
        let shop = try await Shop()
        _ = try await shop.order([1: 3, 2: 1])
        _ = try await shop.order([3: 1])
        #expect(
            try await shop.database.bestsellers(places: 1) == [
                Bestseller(genre: "Classics", place: 1, title: "Emma", sold: 3),
                Bestseller(genre: "Crime", place: 1, title: "Murder on the Orient Express", sold: 1),
            ])
        #expect(try await shop.database.bestsellers(places: 2).map(\.title).contains("Persuasion"))
    }
}
