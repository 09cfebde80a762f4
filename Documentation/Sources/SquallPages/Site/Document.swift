/// The HTML document of a page: the navigation, the pages above it, and its content.
struct Document {
    let renderer: PageRenderer
    let navigation: Navigation
    let moduleTitle: String

    static let stylesheet = "site.css"

    func html() -> HTML {
        let guides = navigation.html(page: renderer.path)
        return Tag.html(.text(.lang, "en")) {
            head()
            Tag.body {
                Tag.a(.class("skip"), .href(.page(renderer.path, anchor: "main"))) { "Skip to the text" }
                Tag.div(.class("frame")) {
                    Tag.nav(.class("side"), .text(.label, "Guides")) { guides }
                    Tag.main(.id("main")) {
                        Tag.details(.class("menu")) {
                            Tag.summary { "Contents" }
                            Tag.nav(.text(.label, "Guides")) { guides }
                        }
                        breadcrumbs()
                        if isSearch { SearchPage.field }
                        renderer.content()
                    }
                }
                if isSearch { Tag.script(.link(.src, .file(SearchPage.script))) }
            }
        }
    }

    private var isSearch: Bool { renderer.path == SearchPage.path }

    private func head() -> HTML {
        Tag.head {
            Tag.meta(.text(.charset, "utf-8"))
            Tag.meta(.text(.name, "viewport"), .text(.content, "width=device-width, initial-scale=1"))
            Tag.meta(.text(.name, "color-scheme"), .text(.content, "light dark"))
            if !renderer.page.abstract.isEmpty {
                let abstract = renderer.html(renderer.page.abstract).plainText
                Tag.meta(.text(.name, "description"), .text(.content, abstract))
            }
            Tag.title { title }
            Tag.link(.text(.rel, "stylesheet"), .href(.file(Self.stylesheet)))
        }
    }

    /// The title of the page, of the type that the page is a part of, and of the module.
    private var title: String {
        var titles = [renderer.page.metadata.title]
        if let parent = renderer.page.parent, case .topic(let topic) = renderer.reference(parent),
            !titles[0].hasPrefix(topic.title + ".")
        {
            titles.append(topic.title)
        }
        if titles[0] != moduleTitle {
            titles.append(moduleTitle)
        }
        return titles.joined(separator: " – ")
    }

    private func breadcrumbs() -> HTML? {
        guard !renderer.page.ancestors.isEmpty else { return nil }
        return Tag.nav(.class("above"), .text(.label, "Pages above this one")) {
            Tag.ol {
                for ancestor in renderer.page.ancestors {
                    Tag.li { breadcrumb(ancestor) }
                }
            }
        }
    }

    private func breadcrumb(_ identifier: String) -> HTML {
        guard case .topic(let topic) = renderer.reference(identifier) else {
            return Tag.a(.href(.unresolved(identifier))) { identifier }
        }
        return Tag.a(.href(Link(url: topic.url))) { topic.title }
    }
}
