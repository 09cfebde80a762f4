/// Reads a small interface with each form, and compares it with one that differs. The process ends where something else is found.
func test() {
    let interface = #"""
        import Squall

        /// A comment with { and ".
        @MainActor final public class Box<Value> : Squall.Reader where Value : Sendable {

            @discardableResult
            @inlinable public func put(_ value: Value, then body: (Value) -> Void = { _ in }) async -> some Sequence<Value>


            @available(*, noasync, message: "use \"put(_:)\", { or (")
            public func block()

            public private(set) var value: Value?

            public internal(set) var count: Int { get }

            nonisolated(nonsending) public func wait() async

            deinit
        }

        public protocol Reader {

            associatedtype Output

            func read() throws -> [Self.Output]
        }

        extension Reader where Self.Output == Int {

            public var sum: Int { get }
        }

        extension Box : Equatable where Value : Equatable {

            public struct Key : ~Copyable {

                case a(x: Sample.Box<Int>, Squall.SQL)
            }
        }

        extension Int : Sample.Reader {
        }

        public let limit: Int

        public var limit: Int

        prefix public func ! (box: Sample.Box<Bool>) -> Bool
        """#
    let expected = [
        "global | let limit: Int",
        "global | prefix func ! (box: Box<Bool>) -> Bool",
        "Box | @MainActor final class Box<Value> : Reader where Value : Sendable",
        "Box | extension Box : Equatable where Value : Equatable",
        "Box | @available(*, noasync) func block()",
        "Box | @discardableResult func put(_ value: Value, then body: (Value) -> Void = { _ in }) async -> some Sequence<Value>",
        "Box | nonisolated(nonsending) func wait() async",
        "Box | var count: Int { get }",
        "Box | var value: Value? { get }",
        "Box.Key | struct Key : ~Copyable",
        "Box.Key | case a(x: Box<Int>, SQL)",
        "Int | extension Int : Reader",
        "Reader | protocol Reader",
        "Reader | requirement associatedtype Output",
        "Reader | requirement func read() throws -> [Self.Output]",
        "Reader where Self.Output == Int | var sum: Int { get }",
    ]
    guard let lines = try? Interface(of: "Sample", interface).declarations.map(\.line), lines == expected else {
        fail("the small interface is read otherwise")
    }
    let changed = interface.replacing("func read() throws", with: "func read()")
    let comparison = Comparison(expected, (try? Interface(of: "Sample", changed).declarations.map(\.line)) ?? [])
    let difference = """
        - Reader | requirement func read() throws -> [Self.Output]
        + Reader | requirement func read() -> [Self.Output]
        """
    if comparison.description != difference { fail("a changed declaration is not found") }
    if (try? Interface(of: "Sample", String(interface.dropLast(20)))) != nil { fail("a cut interface is read") }
}
