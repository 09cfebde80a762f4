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
            // The list of the modules, which DocC adds to the archive of several: the navigation has them.
            if path.components == ["documentation"] { continue }
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

    /// The pages of the modules: that of the library, and then those of its annexes.
    var modules: [(path: PagePath, page: Page)] {
        get throws {
            guard let library = pages[.library] else { throw SiteError.noLibrary }
            let annexes = pages.filter { path, _ in path.isModule && path != .library }
            return [(.library, library)]
                + annexes.sorted { $0.key.url < $1.key.url }.map { (path: $0.key, page: $0.value) }
        }
    }
}
