import ArgumentParser
import Squall

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Searches titles and notes.")

    @OptionGroup var database: DatabaseOption
    @Argument(help: "The words, all of which must occur.") var words: [String]

    func run() async throws {
        let text = words.joined(separator: " ")
        try await database.use { database in
            for hit in try await database.read({ try $0.search(text) }) {
                print("\(hit.id) [\(hit.list)] \(hit.title): \(hit.snippet)")
            }
        }
    }
}
