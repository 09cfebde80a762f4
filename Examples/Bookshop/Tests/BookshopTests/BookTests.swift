import Squall
import Testing

@testable import Bookshop

@Suite struct BookTests {
    @Test func aBookIsFoundByItsISBN() async throws {
        let shop = try await Shop()
        let book = try #require(try await shop.database.book(isbn: "978-0-06-269366-2"))
        #expect(book.title == "Murder on the Orient Express")
        #expect((book.price, book.stock) == (1299, 2))
        #expect(book.tags == ["train"])
        #expect(book.isSigned)
        #expect(try await shop.database.book(isbn: "unknown") == nil)
    }

    @Test func copiesOfAKnownISBNAreAddedToTheStock() async throws {
        let shop = try await Shop()
        let id = try await shop.database.receiveBook(
            isbn: "978-0-14-143958-7", title: "Emma", authorID: 1, genreID: 2, price: 1099, copies: 10, tags: [],
            isSigned: false, blurb: "")
        #expect(id == 1)
        let emma = try await shop.database.books(ids: [1]).first
        #expect(emma?.stock == 15)
        #expect(emma?.price == 1099)
        #expect(emma?.tags == ["romance", "village"])
    }

    @Test func aListHasAnyLength() async throws {
        let shop = try await Shop()
        #expect(try await shop.database.books(ids: [4, 1, 99]).map(\.title) == ["Beowulf", "Emma"])
        #expect(try await shop.database.books(ids: []).isEmpty)
    }

    @Test func tagsAreElementsOfJSON() async throws {
        let shop = try await Shop()
        #expect(try await shop.database.booksTagged(tag: "romance").map(\.title) == ["Emma", "Persuasion"])
        #expect(try await shop.database.booksTagged(tag: "rom").isEmpty)
    }

    @Test func theCatalogueNestsAuthorsAndGenres() async throws {
        let shop = try await Shop()
        let catalogue = try await shop.database.catalogue()
        #expect(catalogue.map(\.author?.name) == [nil, "Jane Austen", "Agatha Christie", "Jane Austen"])
        #expect(
            catalogue.first
                == CatalogueEntry(
                    title: "Beowulf", price: 1499, author: nil, genre: CatalogueEntry.Genre(id: 4, name: "Poetry")))
    }

    @Test func rowsAreReadOneAtATime() async throws {
        let shop = try await Shop()
        let first = try await shop.database.read { connection in
            var titles: [String] = []
            struct Enough: Error {}
            #expect(throws: Enough.self) {
                try connection.catalogue { book in
                    titles.append(book.title)
                    if titles.count == 2 { throw Enough() }
                }
            }
            return titles
        }
        #expect(first == ["Beowulf", "Emma"])
    }

    @Test func genresAreATree() async throws {
        let shop = try await Shop()
        let ghosts = try await shop.database.addGenre(name: "Ghosts", parentID: 2)
        #expect(ghosts == 5)
        #expect(
            try await shop.database.genresBelow(name: "Fiction") == [
                Genre(name: "Fiction", depth: 0, books: 0), Genre(name: "Classics", depth: 1, books: 2),
                Genre(name: "Ghosts", depth: 2, books: 0), Genre(name: "Crime", depth: 1, books: 1),
            ])
    }

    @Test func authorsHaveDifferentNames() async throws {
        let shop = try await Shop()
        #expect(try await shop.database.addAuthor(name: "Mary Shelley") == 3)
        await #expect { try await shop.database.addAuthor(name: "Mary Shelley") } throws: {
            ResultCode.constraintUnique ~= $0
        }
    }

    @Test func theFunctionOfTheAppFindsWrongISBNs() async throws {
        let shop = try await Shop()
        #expect(try await shop.database.titlesWithWrongISBN() == ["Beowulf"])
    }

    @Test(arguments: [
        ("978-0-14-143958-7", true), ("9780141439587", true), ("978-0-14-143958-8", false), ("978014143958", false),
        ("97801414395x7", false), ("", false),
    ])
    func anISBNEndsWithACheckDigit(text: String, isValid: Bool) {
        #expect(isISBN(text) == isValid)
    }
}
