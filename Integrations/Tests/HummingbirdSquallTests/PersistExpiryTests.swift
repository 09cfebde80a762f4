import Foundation
import Hummingbird
import Squall
import Testing

@testable import HummingbirdSquall

struct PersistExpiryTests {
    private let clock = ManualClock()

    private func makeDriver() async throws -> SquallPersistDriver {
        try await SquallPersistDriver(Database.temporary(), now: clock.now)
    }

    @Test func anExpiredValueIsMissingBeforeItIsSwept() async throws {
        let driver = try await makeDriver()
        try await driver.create(key: "key", value: 1, expires: .seconds(10))
        clock.advance(by: 9.999)
        #expect(try await driver.get(key: "key", as: Int.self) == 1)
        await #expect(throws: PersistError.duplicate) { try await driver.create(key: "key", value: 2) }
        clock.advance(by: 0.001)
        #expect(try await driver.get(key: "key", as: Int.self) == nil)
        #expect(try await driver.replace(key: "key", value: 3) == false)
        try await driver.create(key: "key", value: 2)
        #expect(try await driver.getWithTTL(key: "key", as: Int.self)?.ttl == nil)
        clock.advance(by: 1e9)
        #expect(try await driver.get(key: "key", as: Int.self) == 2)
    }

    @Test func setWithoutATimeKeepsTheExpiryOfALiveValue() async throws {
        let driver = try await makeDriver()
        try await driver.set(key: "key", value: 1, expires: .seconds(10))
        clock.advance(by: 4)
        try await driver.set(key: "key", value: 2)
        let found = try #require(try await driver.getWithTTL(key: "key", as: Int.self))
        #expect(found == (2, .seconds(6)))
        clock.advance(by: 6)
        try await driver.set(key: "key", value: 3)
        clock.advance(by: 1e6)
        let renewed = try #require(try await driver.getWithTTL(key: "key", as: Int.self))
        #expect(renewed.object == 3 && renewed.ttl == nil)
    }

    @Test func setWithATimeReplacesTheExpiry() async throws {
        let driver = try await makeDriver()
        try await driver.set(key: "key", value: 1)
        try await driver.set(key: "key", value: 2, expires: .seconds(1))
        #expect(try await driver.getWithTTL(key: "key", as: Int.self)?.ttl == .seconds(1))
        try await driver.replace(key: "key", value: 3, expires: .seconds(5))
        #expect(try await driver.getWithTTL(key: "key", as: Int.self)?.ttl == .seconds(5))
        try await driver.replace(key: "key", value: 4)
        #expect(try await driver.getWithTTL(key: "key", as: Int.self)?.ttl == .seconds(5))
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(-1), .seconds(Int64.min)])
    func aValueWithoutTimeHasExpiredAtOnce(time: Duration) async throws {
        let driver = try await makeDriver()
        try await driver.create(key: "key", value: 1, expires: time)
        #expect(try await driver.get(key: "key", as: Int.self) == nil)
        try await driver.create(key: "key", value: 2)
        try await driver.set(key: "key", value: 3, expires: time)
        #expect(try await driver.get(key: "key", as: Int.self) == nil)
    }

    @Test(arguments: [Duration.nanoseconds(1), .microseconds(999), .milliseconds(1)])
    func aShortTimeIsRoundedUpToAMillisecond(time: Duration) async throws {
        let driver = try await makeDriver()
        try await driver.create(key: "key", value: 1, expires: time)
        #expect(try await driver.getWithTTL(key: "key", as: Int.self)?.ttl == .milliseconds(1))
        clock.advance(by: 0.001_5)
        #expect(try await driver.get(key: "key", as: Int.self) == nil)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 1_000)])
    func aHugeTimeIsTheLastMillisecond(time: Duration) async throws {
        let driver = try await makeDriver()
        try await driver.create(key: "key", value: 1, expires: time)
        clock.advance(by: 1e12)
        let found = try #require(try await driver.getWithTTL(key: "key", as: Int.self))
        #expect(try #require(found.ttl) > .seconds(1e15))
        #expect(try await driver.sweep() == 0)
    }

    @Test func datesThatAreTooFarAwayAreTheFirstAndTheLastMillisecond() {
        #expect(Instant(.distantPast).milliseconds == -62_135_769_600_000)
        #expect(Instant(Date(timeIntervalSince1970: 1e300)).milliseconds == .max)
        #expect(Instant(Date(timeIntervalSince1970: -1e300)).milliseconds == .min)
        #expect(Instant(Date(timeIntervalSince1970: .nan)).milliseconds == .max)
        #expect(Instant(Date(timeIntervalSince1970: -0.000_1)).milliseconds == -1)
        #expect(Instant(Date(timeIntervalSince1970: 1e300)).advanced(by: .seconds(1)) == .max)
        #expect(Instant(Date(timeIntervalSince1970: -1e300)).advanced(by: .seconds(-1)) == .min)
        #expect(Instant(Date(timeIntervalSince1970: 0)).advanced(by: .nanoseconds(-1_500_000)) == -1)
        #expect(Instant(Date(timeIntervalSince1970: 0)).advanced(by: nil) == nil)
    }
}
