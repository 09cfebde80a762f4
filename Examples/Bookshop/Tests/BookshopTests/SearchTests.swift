import Squall
import SquallSearch
import Testing

@testable import Bookshop

@Suite struct SearchTests {
    @Test func wordsAreFoundInTitlesAndBlurbs() async throws {
        let shop = try await Shop()
        let hits = try await shop.database.search(words: "train", limit: 10)
        #expect(
            hits == [
                SearchHit(
                    id: 3, title: "Murder on the Orient Express", blurb: "A [train] in the snow, and a dead…")
            ])
        #expect(
            try await shop.database.search(words: "orient", limit: 10).map(\.title) == [
                "Murder on the [Orient] Express"
            ])
        #expect(try await shop.database.search(words: "woman", limit: 1).count == 1)
    }

    @Test func textOfAUserIsNoSyntaxError() async throws {
        let shop = try await Shop()
        let words = SearchPattern.allWords("monster's \"AND (").text
        #expect(try await shop.database.search(words: words, limit: 10).map(\.id) == [4])
        let part = SearchPattern.allWords("monst", lastIsPrefix: true).text
        #expect(try await shop.database.search(words: part, limit: 10).map(\.id) == [4])
    }
}
