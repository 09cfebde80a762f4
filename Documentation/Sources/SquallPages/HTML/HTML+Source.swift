extension HTML {
    /// Returns the source of the tree, with links relative to a page.
    func source(on page: PagePath) -> String {
        var source = ""
        write(to: &source, on: page)
        return source
    }

    private func write(to source: inout String, on page: PagePath) {
        switch self {
        case .text(let text):
            source.append(escaping: text)
        case .element(let tag, let attributes, let children):
            source += "<\(tag.rawValue)"
            for attribute in attributes {
                attribute.write(to: &source, on: page)
            }
            source += ">"
            if !tag.isVoid {
                for child in children {
                    child.write(to: &source, on: page)
                }
                source += "</\(tag.rawValue)>"
            }
            if !tag.isInline {
                source += "\n"
            }
        }
    }
}

extension Attribute {
    fileprivate func write(to source: inout String, on page: PagePath) {
        let text: String? =
            switch value {
            case .text(let text): text
            case .link(let link): link.address(on: page)
            }
        guard let text else { return }
        source += " \(name.rawValue)=\""
        source.append(escaping: text)
        source += "\""
    }
}

extension String {
    fileprivate mutating func append(escaping text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": self += "&amp;"
            case "<": self += "&lt;"
            case ">": self += "&gt;"
            case "\"": self += "&quot;"
            default: unicodeScalars.append(scalar)
            }
        }
    }
}
