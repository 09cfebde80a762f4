/// An error that ends the run.
enum SiteError: Error, CustomStringConvertible {
    case usage
    case noArchive(String)
    case unreadablePage(String, any Error)
    case noLibrary
    case deadLinks([DeadLink])

    var description: String {
        switch self {
        case .usage: "usage: squall-pages <archive> <site>"
        case .noArchive(let folder): "\(folder) is not a DocC archive: it has no folder named data"
        case .unreadablePage(let file, let error): "\(file): \(error)"
        case .noLibrary: "the archive does not have the page \(PagePath.library)"
        case .deadLinks(let links):
            "\(links.count) dead \(links.count == 1 ? "link" : "links"):\n"
                + links.map { "  \($0)" }.joined(separator: "\n")
        }
    }
}
