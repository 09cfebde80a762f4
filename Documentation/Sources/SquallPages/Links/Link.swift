/// The target of a link.
enum Link: Hashable, Sendable {
    case page(PagePath, anchor: String?)
    /// A file of the site that is not a page, by its path in the site's folder.
    case file(String)
    /// An address of the web.
    case web(String)
    /// A link that neither the page nor the archive resolves, as it is written.
    case unresolved(String)

    /// A link to the address of a page in the archive, which may end with the anchor of a heading.
    init(url: String) {
        let parts = url.split(separator: "#", maxSplits: 1).map(String.init)
        self = .page(PagePath(url: parts.first ?? ""), anchor: parts.count > 1 ? parts[1] : nil)
    }

    /// A link to the web. Only the schemes that a page may open are accepted.
    init(web address: String) {
        let schemes = ["https://", "http://", "mailto:"]
        self = schemes.contains { address.hasPrefix($0) } ? .web(address) : .unresolved(address)
    }

    /// A link to a file that the archive has under this address, such as `/images/Squall/growth.svg`.
    static func file(ofArchive url: String) -> Link { .file(PagePath(url: url).components.joined(separator: "/")) }

    /// Returns the address for a link on a page; `nil` for an unresolved link.
    func address(on page: PagePath) -> String? {
        switch self {
        case .page(page, .some(let anchor)): "#" + anchor
        case .page(let target, let anchor): page.address(ofFile: target.file) + (anchor.map { "#" + $0 } ?? "")
        case .file(let path): page.address(ofFile: path.split(separator: "/").map(String.init))
        case .web(let address): address
        case .unresolved: nil
        }
    }
}
