import Foundation

/// Writes a DocC archive as HTML pages that open without a server: `squall-pages <archive> <site>`.
@main
enum SquallPages {
    static func main() {
        do {
            print(try run(CommandLine.arguments.dropFirst().map { $0 }))
        } catch {
            FileHandle.standardError.write(Data("squall-pages: \(error)\n".utf8))
            exit(1)
        }
    }

    /// Writes the site, and returns the line to print. The pages are written even when links are dead.
    static func run(_ arguments: [String]) throws -> String {
        guard arguments.count == 2 else { throw SiteError.usage }
        let archive = try Archive(folder: URL(filePath: arguments[0]))
        let deadLinks = try Site(archive: archive).write(to: URL(filePath: arguments[1]))
        guard deadLinks.isEmpty else { throw SiteError.deadLinks(deadLinks) }
        return "\(archive.pages.count) pages in \(arguments[1])"
    }
}
