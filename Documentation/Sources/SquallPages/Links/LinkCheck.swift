import Foundation

/// The check that each link leads to a page and, where it has an anchor, to a heading of that page.
struct LinkCheck {
    private var anchors: [PagePath: Set<String>] = [:]
    private var links: [PagePath: Set<Link>] = [:]

    mutating func add(_ html: HTML, on page: PagePath) {
        anchors[page, default: []].formUnion(html.attributes(.id).compactMap(\.text))
        links[page, default: []].formUnion(html.attributes(.href).compactMap(\.link))
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
        case .file, .web: true
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
    fileprivate func attributes(_ name: Attribute.Name) -> [Attribute.Value] {
        guard case .element(_, let attributes, let children) = self else { return [] }
        return attributes.filter { $0.name == name }.map(\.value) + children.flatMap { $0.attributes(name) }
    }
}

extension Attribute.Value {
    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    fileprivate var link: Link? {
        if case .link(let link) = self { link } else { nil }
    }
}
