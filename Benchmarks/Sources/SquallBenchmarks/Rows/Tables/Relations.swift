import SquallSQLite
import GRDB
import Squall

// 20 authors with ten posts each, 2,000 times: two queries, whose rows are brought together by a dictionary.

extension Author: FetchableRecord {
    init(row: GRDB.Row) {
        self.init(id: row[0], name: row[1])
    }
}

extension Post: FetchableRecord {
    init(row: GRDB.Row) {
        self.init(id: row[0], author: row[1], title: row[2])
    }
}

extension CStatement {
    fileprivate func authors(from first: Int) throws -> [Author] {
        sqlite3_bind_int64(handle, 1, Int64(first))
        var authors: [Author] = []
        try forEachRow { authors.append(Author(id: integer(0), name: text(1))) }
        return authors
    }

    fileprivate func posts(of authors: [Author]) throws -> [Int: [Post]] {
        for (index, author) in authors.enumerated() { sqlite3_bind_int64(handle, Int32(index + 1), Int64(author.id)) }
        var posts: [Int: [Post]] = [:]
        try forEachRow {
            let post = Post(id: integer(0), author: integer(1), title: text(2))
            posts[post.author, default: []].append(post)
        }
        return posts
    }
}

extension Benchmark {
    private static let authorsSQL = "SELECT id, name FROM authors WHERE id >= ? ORDER BY id LIMIT 20"
    private static let postsSQL =
        "SELECT id, author, title FROM posts WHERE author IN (\(Array(repeating: "?", count: 20).joined(separator: ", ")))"

    private static func sumOfPages(_ page: (Int) throws -> [(Author, [Post])]) throws -> Int {
        var sum = 0
        for number in 0..<scaled(2_000) {
            for (author, posts) in try page(number &* 7919 % 980 + 1) {
                sum &+= author.id &* posts.reduce(0) { $0 &+ $1.id &+ $1.title.utf8.count }
            }
        }
        return sum
    }

    /// Pages of authors with their posts, in the way of Squall that is given.
    private static func pages(
        _ name: String, isVariant: Bool = false,
        _ squallPage: @escaping @Sendable (Connection, Int) throws -> [(Author, [Post])]
    ) -> Benchmark {
        Benchmark(name: name, toC: 1.20, toGRDB: 0.80, isVariant: isVariant) { fixtures in
            let path = try fixtures.posts()
            let database = try CDatabase(path)
            let (authors, posts) = (try database.prepare(authorsSQL), try database.prepare(postsSQL))
            let squall = try Connection.toRead(path)
            let grdb = try DatabaseQueue.toRead(path)
            return [
                .c: Cell { () -> Int in
                    try database.execute("BEGIN")
                    let sum = try sumOfPages { first in
                        let page = try authors.authors(from: first)
                        let related = try posts.posts(of: page)
                        return page.map { ($0, related[$0.id] ?? []) }
                    }
                    try database.execute("COMMIT")
                    return sum
                },
                .squall: Cell { () -> Int in
                    try squall.transaction { try sumOfPages { try squallPage(squall, $0) } }
                },
                .grdb: Cell { () -> Int in
                    try grdb.read { database in
                        try sumOfPages { first in
                            let page = try Author.fetchAll(database, sql: authorsSQL, arguments: [first])
                            let posts = try Post.fetchAll(
                                database, sql: postsSQL, arguments: StatementArguments(page.map(\.id)))
                            let related = Dictionary(grouping: posts, by: \.author)
                            return page.map { ($0, related[$0.id] ?? []) }
                        }
                    }
                },
            ]
        }
    }

    private static func page(from first: Int) -> Query<Columns<Author>> {
        Author.where { $0.id >= first }.order { $0.id.ascending }.limit(20)
    }

    static let relations = [
        pages("including") { try $0.all(page(from: $1), including: Author.posts) },
        // The two queries by hand.
        pages("including-by-hand", isVariant: true) {
            let page = try $0.all(page(from: $1))
            let posts = try $0.all(Post.where { $0.author.in(page.map(\.id)) })
            let related = Dictionary(grouping: posts, by: \.author)
            return page.map { ($0, related[$0.id] ?? []) }
        },
    ]
}
