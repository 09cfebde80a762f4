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
@_documentation(visibility: internal)
public enum ListBuilder<Element> {
    @inlinable
    public static func buildExpression(_ element: Element) -> [Element] { [element] }
    // Most orders of queries have one term, which this form takes without an array of arrays.
    @inlinable
    public static func buildBlock(_ part: [Element]) -> [Element] { part }
    // Not `\.self`: in generic code, a key path is made again for each call, in 15,000 instructions (callgrind, 2026-11-23).
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap { $0 } }
    public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
    public static func buildEither(first part: [Element]) -> [Element] { part }
    public static func buildEither(second part: [Element]) -> [Element] { part }
    public static func buildLimitedAvailability(_ part: [Element]) -> [Element] { part }
}
