import Testing

@testable import Squall

/// The states of what a connection remembers of its checks.
@Suite struct SchemaFitsTests {
    private final class Schema {}

    private let cars = Schema()
    private let owners = Schema()

    private func versions(_ cookies: Int...) -> [SchemaFits.Version] {
        cookies.enumerated().map { SchemaFits.Version(database: "\($0.offset)", file: "", cookie: $0.element) }
    }

    private func isKnown(_ schema: Schema, _ fits: SchemaFits) -> Bool {
        var fits = fits
        return fits.select(schema)
    }

    private func fits(_ cookie: Int = 1) -> SchemaFits {
        var fits = SchemaFits()
        fits.confirm(versions(cookie))
        fits.insert(cars, versions(cookie))
        fits.insert(owners, versions(cookie))
        return fits
    }

    @Test func `the schema that was required last is the current one`() {
        var fits = fits()
        #expect(fits.isCurrent(owners))
        #expect(!fits.isCurrent(cars))
        _ = fits.select(cars)
        #expect(fits.isCurrent(cars))
        #expect(!fits.isCurrent(owners))
    }

    @Test func `after a compilation, no schema is current until the versions are the same`() {
        var fits = fits()
        fits.didCompile()
        #expect(!fits.isCurrent(owners))
        #expect(!isKnown(owners, fits))
        fits.confirm(versions(1))
        #expect(isKnown(owners, fits))
        #expect(isKnown(cars, fits))
    }

    @Test(arguments: [[2], [1, 1], []]) func `other versions are those of another schema`(_ cookies: [Int]) {
        var fits = fits()
        fits.confirm(cookies.enumerated().map { .init(database: "\($0.offset)", file: "", cookie: $0.element) })
        #expect(!isKnown(cars, fits))
        #expect(!fits.isWatching)
    }

    @Test func `a compilation during the check leaves the schema to be compared again`() {
        var fits = SchemaFits()
        fits.confirm(versions(1))
        fits.didCompile()
        fits.insert(cars, versions(1))
        #expect(!fits.isCurrent(cars))
        fits.confirm(versions(1))
        #expect(isKnown(cars, fits))
    }

    @Test func `versions of an uncommitted change are not compared later`() {
        var fits = SchemaFits()
        fits.didChangeSchema(inTransaction: true)
        fits.confirm(versions(2))
        fits.insert(cars, versions(2))
        #expect(fits.isCurrent(cars))
        fits.didCompile()
        fits.confirm(versions(2))
        #expect(!isKnown(cars, fits))

        fits.didEndTransaction()
        fits.insert(cars, versions(2))
        fits.didCompile()
        fits.confirm(versions(2))
        #expect(isKnown(cars, fits))
    }

    @Test func `a change of the list of databases forgets everything`() {
        var fits = fits()
        fits.didChangeDatabases()
        fits.confirm(versions(1))
        #expect(!isKnown(cars, fits))
    }
}
