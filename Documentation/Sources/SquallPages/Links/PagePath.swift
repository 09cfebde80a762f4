import Foundation

/// The place of a page in the archive, such as `/documentation/squall/connection`, and of its file in the site.
struct PagePath: Hashable, Sendable {
    /// The components of the path in the archive: `documentation`, `squall`, `connection`.
    let components: [String]

    init(components: [String]) {
        self.components = components
    }

    /// A path from the address that the archive uses, which is percent-encoded.
    init(url: String) {
        components = url.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    }

    /// The address that the archive uses.
    var url: String {
        components.map { "/" + Self.encoded($0) }.joined()
    }

    /// The page of the library, with which the site begins.
    static let library = PagePath(components: ["documentation", "squall"])

    /// Whether the page is that of a module.
    var isModule: Bool { components.count == 2 }

    /// The components of the file below the site's folder. The page of the library is the site's `index.html`.
    var file: [String] {
        guard self != Self.library, let name = components.last else { return ["index.html"] }
        return components.dropLast() + [name + ".html"]
    }

    /// Returns the relative address of a file of the site, as a link on this page needs it.
    func address(ofFile target: [String]) -> String {
        let folder = file.dropLast()
        let shared = zip(folder, target.dropLast()).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: folder.count - shared)
        return (up + target.dropFirst(shared).map(Self.encoded)).joined(separator: "/")
    }

    /// Returns a component with every character escaped that has a meaning in an address.
    private static func encoded(_ component: String) -> String {
        component.addingPercentEncoding(withAllowedCharacters: allowed) ?? component
    }

    private static let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._()!*,+="
    )
}

extension PagePath: CustomStringConvertible {
    var description: String { "/" + components.joined(separator: "/") }
}
