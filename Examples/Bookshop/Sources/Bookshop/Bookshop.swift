import Squall

@main
struct Bookshop {
    static func main() async throws {
        try await story(in: Database.bookshop()) { print($0) }
    }
}
