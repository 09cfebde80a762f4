/// An error that ends the run.
enum SiteError: Error, CustomStringConvertible {
    case usage
    case noArchive(String)
    case unreadablePage(String, any Error)
    case modules(Int)
    case deadLinks([DeadLink])

    var description: String {
        switch self {
        case .usage: "usage: squall-pages <archive> <site>"
        case .noArchive(let folder): "\(folder) is not a DocC archive: it has no folder named data"
        case .unreadablePage(let file, let error): "\(file): \(error)"
        case .modules(let count): "the archive has \(count) modules; a site has one"
        case .deadLinks(let links):
            "\(links.count) dead \(links.count == 1 ? "link" : "links"):\n"
                + links.map { "  \($0)" }.joined(separator: "\n")
        }
    }
}
