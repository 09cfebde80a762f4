import Foundation

/// The pages of a DocC archive.
struct Archive: Sendable {
    let pages: [PagePath: Page]
    /// The topic of each page by its identifier.
    let topics: [String: Topic]
    /// The folder of the images, if there are any.
    let images: URL?

    init(pages: [PagePath: Page], images: URL? = nil) {
        self.pages = pages
        self.images = images
        topics = Dictionary(
            pages.map { path, page in
                (page.identifier, Topic(title: page.metadata.title, url: path.url, kind: page.kind.rawValue))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Reads the pages of an archive's folder.
    init(folder: URL) throws {
        let data = folder.appending(path: "data")
        guard FileManager.default.fileExists(atPath: data.path),
            let files = FileManager.default.enumerator(atPath: data.path)
        else {
            throw SiteError.noArchive(folder.path)
        }
        var pages: [PagePath: Page] = [:]
        let decoder = JSONDecoder()
        for case let file as String in files where file.hasSuffix(".json") {
            let path = PagePath(components: file.dropLast(".json".count).split(separator: "/").map(String.init))
            do {
                let contents = try Data(contentsOf: data.appending(path: file))
                pages[path] = try decoder.decode(Page.self, from: contents)
            } catch {
                throw SiteError.unreadablePage(file, error)
            }
        }
        let images = folder.appending(path: "images")
        self.init(pages: pages, images: FileManager.default.fileExists(atPath: images.path) ? images : nil)
    }

    /// The page of the module, with which the site begins.
    var module: (PagePath, Page) {
        get throws {
            let modules = pages.filter { path, _ in path.file == ["index.html"] }
            guard let module = modules.first, modules.count == 1 else { throw SiteError.modules(modules.count) }
            return (module.key, module.value)
        }
    }
}
