import Squall

/// A book, as a service on the network describes it.
struct Book {
    let id: Int64
    let title: String
    let author: String?
    let year: Int
    let digest: [UInt8]
}

/// A stand-in for a service on the network, which returns books and keeps the addresses of the requests.
final class BookService {
    enum Comparison: String {
        case equal = "=", unequal = "!=", less = "<", atMost = "<=", greater = ">", atLeast = ">="

        fileprivate func holds(_ year: Int, _ other: Int) -> Bool {
            switch self {
            case .equal: year == other
            case .unequal: year != other
            case .less: year < other
            case .atMost: year <= other
            case .greater: year > other
            case .atLeast: year >= other
            }
        }
    }

    /// A search, whose answer is sorted by the year.
    struct Search {
        var years: [(comparison: Comparison, year: Int)] = []
        var authors: [String]?
        var isAnonymous: Bool?
        var latestFirst = false
        var fields = ""

        /// Leaves the authors that all conditions allow.
        mutating func restrict(toAuthors names: [String]) {
            authors = (authors ?? names).filter(names.contains)
        }

        fileprivate var address: String {
            var query = years.map { "year\($0.comparison.rawValue)\($0.year)" }
            if let authors { query.append("author=" + authors.sorted().joined(separator: "|")) }
            if let isAnonymous { query.append("anonymous=\(isAnonymous)") }
            if latestFirst { query.append("sort=-year") }
            query.append("fields=" + fields)
            return "/books?" + query.joined(separator: "&")
        }

        fileprivate func finds(_ book: Book) -> Bool {
            years.allSatisfy { $0.comparison.holds(book.year, $0.year) }
                && (authors == nil || book.author.map { authors?.contains($0) == true } == true)
                && (isAnonymous == nil || isAnonymous == (book.author == nil))
        }
    }

    private let books = [
        Book(id: 1, title: "Ficciones", author: "Borges", year: 1944, digest: [0x1A, 0xB1]),
        Book(id: 2, title: "Solaris", author: "Lem", year: 1961, digest: [0x1A, 0xB2]),
        Book(id: 3, title: "The Left Hand of Darkness", author: "Le Guin", year: 1969, digest: [0x1A, 0xB3]),
        Book(id: 4, title: "The Dispossessed", author: "Le Guin", year: 1974, digest: [0x1A, 0xB4]),
        Book(id: 5, title: "Voynich Manuscript", author: nil, year: 1438, digest: [0x1A, 0xB5]),
    ]
    private var addresses: [String] = []

    /// Returns the addresses of the requests since the last call.
    func takeAddresses() -> [String] {
        defer { addresses = [] }
        return addresses
    }

    func books(_ search: Search) -> [Book] {
        addresses.append(search.address)
        let found = books.filter(search.finds)
        return found.sorted { search.latestFirst ? $0.year > $1.year : $0.year < $1.year }
    }

    func books(id: Int64) -> [Book] {
        addresses.append("/books/\(id)")
        return books.filter { $0.id == id }
    }

    func books(digest: [UInt8]) -> [Book] {
        addresses.append("/digests/" + digest.map { String($0, radix: 16) }.joined(separator: "-"))
        return books.filter { $0.digest == digest }
    }
}
