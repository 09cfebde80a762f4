import Foundation

/// The site of an archive: a folder of HTML pages that needs no server, and JavaScript only for the field of the search.
struct Site {
    let archive: Archive

    /// Writes the site into a folder, and replaces the one that is there.
    ///
    /// - Returns: The links that lead nowhere.
    func write(to folder: URL) throws -> [DeadLink] {
        let files = FileManager.default
        for old in ["index.html", Document.stylesheet, SearchPage.script, "documentation", "images"] {
            let url = folder.appending(path: old)
            if files.fileExists(atPath: url.path) {
                try files.removeItem(at: url)
            }
        }
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(PackageResources.site_css).write(to: folder.appending(path: Document.stylesheet))
        try Data(PackageResources.search_js).write(to: folder.appending(path: SearchPage.script))
        var check = LinkCheck(files: [Document.stylesheet, SearchPage.script])
        if let images = archive.images {
            try files.copyItem(at: images, to: folder.appending(path: "images"))
            let copied = try files.subpathsOfDirectory(atPath: images.path)
            check.files.formUnion(copied.map { "images/" + $0 })
        }
        for (path, html) in try documents() {
            check.add(html, on: path)
            let file = path.file.reduce(folder) { $0.appending(path: $1) }
            try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("<!doctype html>\n\(html.source(on: path))".utf8).write(to: file)
        }
        return check.deadLinks
    }

    /// The document of each page.
    func documents() throws -> some Sequence<(PagePath, HTML)> {
        let modules = try archive.modules
        let navigation = Navigation(modules: modules, topics: archive.topics)
        var pages = archive.pages
        pages[SearchPage.path] = SearchPage(archive: archive).page(below: modules[0].page.identifier)
        return pages.lazy.map { path, page in
            let renderer = PageRenderer(page: page, path: path, topics: archive.topics)
            let module = modules.first { path.components.starts(with: $0.path.components) } ?? modules[0]
            let document = Document(renderer: renderer, navigation: navigation, moduleTitle: module.page.metadata.title)
            return (path, document.html())
        }
    }
}
