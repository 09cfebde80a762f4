import Squall

extension Connection {
    /// Fills an empty shop with four books, whose IDs are 1 to 4.
    func fillShelves() throws {
        let austen = try addAuthor(name: "Jane Austen")
        let christie = try addAuthor(name: "Agatha Christie")
        let fiction = try addGenre(name: "Fiction", parentID: nil)
        let classics = try addGenre(name: "Classics", parentID: fiction)
        let crime = try addGenre(name: "Crime", parentID: fiction)
        let poetry = try addGenre(name: "Poetry", parentID: nil)

        _ = try receiveBook(
            isbn: "978-0-14-143958-7", title: "Emma", authorID: austen, genreID: classics, price: 999, copies: 5,
            tags: ["romance", "village"], isSigned: false, blurb: "A rich young woman finds husbands for others.")
        _ = try receiveBook(
            isbn: "978-0-14-143968-6", title: "Persuasion", authorID: austen, genreID: classics, price: 899, copies: 3,
            tags: ["romance", "sea"], isSigned: false, blurb: "A captain returns to the woman who refused him.")
        _ = try receiveBook(
            isbn: "978-0-06-269366-2", title: "Murder on the Orient Express", authorID: christie, genreID: crime,
            price: 1299, copies: 2, tags: ["train"], isSigned: true, blurb: "A train in the snow, and a dead passenger."
        )
        // The ISBN ends with a wrong digit.
        _ = try receiveBook(
            isbn: "978-0-393-32097-0", title: "Beowulf", authorID: nil, genreID: poetry, price: 1499, copies: 1,
            tags: [], isSigned: false, blurb: "A hero, a monster, and the monster's mother.")
    }
}
