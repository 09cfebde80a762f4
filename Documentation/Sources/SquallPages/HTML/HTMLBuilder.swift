/// Builds the content of an element from elements and text.
@resultBuilder
enum HTMLBuilder {
    static func buildExpression(_ node: HTML) -> [HTML] { [node] }
    static func buildExpression(_ nodes: [HTML]) -> [HTML] { nodes }
    static func buildExpression(_ node: HTML?) -> [HTML] { node.map { [$0] } ?? [] }
    static func buildExpression(_ text: String) -> [HTML] { [.text(text)] }
    static func buildBlock(_ parts: [HTML]...) -> [HTML] { Array(parts.joined()) }
    static func buildOptional(_ part: [HTML]?) -> [HTML] { part ?? [] }
    static func buildEither(first part: [HTML]) -> [HTML] { part }
    static func buildEither(second part: [HTML]) -> [HTML] { part }
    static func buildArray(_ parts: [[HTML]]) -> [HTML] { Array(parts.joined()) }
}
