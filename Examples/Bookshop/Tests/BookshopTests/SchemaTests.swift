import Squall
import Testing

@testable import Bookshop

@Suite struct SchemaTests {
    @Test func booksOfAnOldFileCanBeSearched() throws {
        let connection = try Connection(":memory:")
        let schema = try bookshopSchema()
        try schema.migrate(connection, to: 2)
        try connection.execute(
            """
            INSERT INTO genres(id, name) VALUES(1, 'Fiction');
            INSERT INTO books(isbn, title, genreID, price, stock) VALUES('1', 'Café Europa', 1, 100, 1);
            """)

        try schema.migrate(connection)
        #expect(try connection.search(words: "cafe", limit: 1).map(\.title) == ["[Café] Europa"])
        #expect(try connection.book(isbn: "1")?.isSigned == false)
    }

    @Test func anOlderSchemaIsAnErrorThatNamesWhatIsMissing() throws {
        let connection = try Connection(":memory:")
        try bookshopSchema().migrate(connection, to: 2)
        let error = #expect(throws: SchemaMismatch.self) { try connection.book(isbn: "1") }
        #expect(
            error?.differences == [
                .missingTable("bookWords"), .missingColumn(table: "books", column: "isSigned"),
                .missingColumn(table: "books", column: "blurb"),
            ])
    }
}
