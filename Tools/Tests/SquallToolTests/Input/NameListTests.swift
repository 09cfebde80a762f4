import Testing

@testable import SquallTool

@Suite struct NameListTests {
    @Test(arguments: [
        ("a", ["a"]), ("a,b c", ["a", "b c"]), ("\"a,b\",c", ["a,b", "c"]), ("\"a\"\"b\"", ["a\"b"]),
        (" a", [" a"]), ("a\"b", ["a\"b"]),
    ])
    func names(argument: String, names: [String]) throws {
        #expect(try NameList.names(argument) == names)
    }

    @Test(arguments: ["", "a,", ",a", "a,,b", "\"a", "\"a\"b"])
    func refused(argument: String) {
        #expect(throws: (any Error).self) { try NameList.names(argument) }
    }
}
