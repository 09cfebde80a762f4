/// Collects the elements that a closure lists, one on each line. `if`, `if`/`else`, `switch` and `for` are supported.
///
///     AlterTable("contacts") {
///         AddColumn("url", String?.self)
///         for name in old { DropColumn(name) }
///         if isStrict {
///             ChangeOptions(strict: true)
///         } else {
///             DropConstraint(named: "typed")
///         }
///     }
@resultBuilder
public enum ListBuilder<Element> {
    public static func buildExpression(_ element: Element) -> [Element] { [element] }
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }
    public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
    public static func buildEither(first part: [Element]) -> [Element] { part }
    public static func buildEither(second part: [Element]) -> [Element] { part }
    public static func buildLimitedAvailability(_ part: [Element]) -> [Element] { part }
}
