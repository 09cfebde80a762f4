import Foundation

/// The check that each link leads to a page or a file and, where it has an anchor, to a heading of that page.
struct LinkCheck {
    /// The paths of the site's files that are not pages.
    var files: Set<String>
    private var anchors: [PagePath: Set<String>] = [:]
    private var links: [PagePath: Set<Link>] = [:]

    init(files: Set<String> = []) {
        self.files = files
    }

    mutating func add(_ html: HTML, on page: PagePath) {
        var attributes: [Attribute] = []
        html.collect(into: &attributes)
        var ids: Set<String> = []
        for attribute in attributes {
            switch attribute.value {
            case .text(let id) where attribute.name == .id: ids.insert(id)
            case .text: break
            case .link(let link): links[page, default: []].insert(link)
            }
        }
        anchors[page] = ids
    }

    /// The links that lead nowhere, each with its page.
    var deadLinks: [DeadLink] {
        links.flatMap { page, links in
            links.filter { !exists($0) }.map { DeadLink(page: page, link: $0) }
        }
        .sorted { $0.description < $1.description }
    }

    private func exists(_ link: Link) -> Bool {
        switch link {
        case .page(let path, nil): anchors[path] != nil
        case .page(let path, .some(let anchor)):
            anchors[path]?.contains(anchor.removingPercentEncoding ?? anchor) ?? false
        case .file(let path): files.contains(path)
        case .web: true
        case .unresolved: false
        }
    }
}

/// A link that leads nowhere.
struct DeadLink: Equatable, CustomStringConvertible {
    let page: PagePath
    let link: Link

    var description: String {
        switch link {
        case .page(let path, let anchor): "\(page): \(path)\(anchor.map { "#" + $0 } ?? "")"
        case .file(let target), .web(let target), .unresolved(let target): "\(page): \(target)"
        }
    }
}

extension HTML {
    /// Appends the attributes of the element and of the elements in it.
    fileprivate func collect(into attributes: inout [Attribute]) {
        guard case .element(_, let own, let children) = self else { return }
        attributes += own
        for child in children {
            child.collect(into: &attributes)
        }
    }
}
