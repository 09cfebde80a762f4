import Foundation
import Squall
import Testing

@Suite struct ParameterTests {
    @Test(arguments: [
        ("3", "integer 3"), ("-3", "integer -3"), ("+3", "integer 3"), ("007", "integer 7"),
        ("9223372036854775807", "integer 9223372036854775807"),
        ("9223372036854775808", "text '9223372036854775808'"),
        ("1.5", "real 1.5"), ("-.5", "real -0.5"), ("2.", "real 2.0"), ("1e3", "real 1000.0"),
        ("1e999", "text '1e999'"), ("nan", "text 'nan'"), ("inf", "text 'inf'"), ("0x10", "text '0x10'"),
        ("", "text ''"), ("NULL", "text 'NULL'"), (" 3", "text ' 3'"), ("it's", "text 'it''s'"),
        ("a=b:c", "text 'a=b:c'"),
        ("漢字", "text '漢字'"), ("\u{301}", "text '\u{301}'"),
    ])
    func aValueThatIsWrittenAsANumberIsOne(value: String, expected: String) async throws {
        let sql = "SELECT typeof(:v) || ' ' || quote(:v) AS v"
        try await expect(
            Tool.run("query", ":memory:", sql, "--format", "json", "-p", "v=\(value)"),
            prints: "[{\"v\": \"\(expected)\"}]\n"
        )
    }

    @Test(arguments: [
        ("text=007", "text '007'"), ("int=007", "integer 7"), ("real=3", "real 3.0"),
        ("blob=00fF", "blob X'00FF'"), ("blob=", "blob X''"), ("null=", "null NULL"), ("text=", "text ''"),
        ("text=\u{301}", "text '\u{301}'"),
    ])
    func aTypeAfterTheNameOverrulesThat(argument: String, expected: String) async throws {
        let sql = "SELECT typeof(:v) || ' ' || quote(:v) AS v"
        try await expect(
            Tool.run("query", ":memory:", sql, "--format", "json", "-p", "v:\(argument)"),
            prints: "[{\"v\": \"\(expected)\"}]\n"
        )
    }

    @Test func infinityIsARealIfItIsSaidToBe() async throws {
        try await expect(
            Tool.run("query", ":memory:", "SELECT :v AS v", "--format", "csv", "-p", "v:real=-inf"), prints: "v\n-Inf\n"
        )
    }

    @Test func allPrefixesOfSQLAreFound() async throws {
        try await expect(
            Tool.run(
                "query", ":memory:", "SELECT :a, @b, $c, ?4, :d, @d", "--format", "csv",
                "-p", "a=1", "-p", "b=2", "-p", "c=3", "--parameter", "4=4", "-p", "d=5"
            ), prints: ":a,@b,$c,?4,:d,@d\n1,2,3,4,5,5\n"
        )
    }

    @Test func aValueIsBoundAndNotSpliced() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.database("CREATE TABLE t(a); INSERT INTO t VALUES('x')")
        try await expect(
            Tool.run(
                "query", path, "SELECT a FROM t WHERE a = :a", "--format", "csv", "-p", "a=x' OR '1'='1"
            ), prints: "a\n"
        )
    }

    @Test(arguments: [
        ("limit", "it has no '='"), ("=1", "it has no name"), (":int=1", "it has no name"),
        ("a:number=1", "there is no type 'number', only text, int, real, blob and null"),
        ("a:int=1.5", "'1.5' is not a whole number of 64 bits"),
        ("a:int=9223372036854775808", "'9223372036854775808' is not a whole number of 64 bits"),
        ("a:real=nan", "'nan' is not a number"),
        ("a:blob=abc", "'abc' is not bytes of two hexadecimal digits each"),
        ("a:blob=zz", "'zz' is not bytes of two hexadecimal digits each"),
        ("a:null=x", "'x' is not empty, as NULL must be"),
    ])
    func anArgumentThatIsWrongIsAUsageError(argument: String, reason: String) async throws {
        let outcome = try await Tool.run("query", ":memory:", "SELECT :a", "-p", argument)
        #expect(outcome.output == "" && outcome.exitCode == 64)
        let message = "Error: The value '\(argument)' is invalid for '-p <name=value>': \(reason); "
        #expect(outcome.error.hasPrefix(message + "write name=value or name:type=value\n"))
    }

    @Test func aParameterGivenTwiceIsAUsageError() async throws {
        let outcome = try await Tool.run("query", ":memory:", "SELECT :a", "-p", "a=1", "-p", "a:text=1")
        #expect(outcome.output == "" && outcome.exitCode == 64)
        #expect(outcome.error.hasPrefix("Error: The parameter 'a' is given twice.\n"))
    }

    @Test(arguments: ["query", "plan"])
    func namesInTwoUnicodeFormsAreTwoParameters(verb: String) async throws {
        let sql = "SELECT :\u{E9} AS a, :e\u{301} AS b"
        let values = ["-p", "e\u{301}=2", "-p", "\u{E9}=1"]
        let flags = verb == "query" ? ["--format", "csv"] : ["--run"]
        let outcome = try await Tool.shell("\"$SQUALL\" \"$@\"", [verb, ":memory:", sql] + values + flags)
        #expect(outcome.error == "" && outcome.exitCode == 0)
        if verb == "query" { #expect(outcome.output == "a,b\n1,2\n") }
        try await expect(
            Tool.run("query", ":memory:", "SELECT :\u{E9}", "-p", "e\u{301}=1"),
            fails: "error: the SQL has no parameter 'e\u{301}'\n", exitCode: 2)
    }

    @Test func aParameterThatTheSQLDoesNotHaveIsAnError() async throws {
        try await expect(
            Tool.run("query", ":memory:", "SELECT :a", "-p", "a=1", "-p", "b=1"),
            fails: "error: the SQL has no parameter 'b'\n", exitCode: 2
        )
    }

    @Test func aParameterWithoutAValueIsAnError() async throws {
        let hint = "hint: give each a name in the SQL, and a value with -p name=value\n"
        try await expect(
            Tool.run("query", ":memory:", "SELECT :a, :b, :b, ?", "-p", "a=1"),
            fails: "error: parameters of the SQL without a value: :b, ?\n" + hint, exitCode: 2
        )
        try await expect(
            Tool.run("query", ":memory:", "SELECT ?"),
            fails: "error: parameters of the SQL without a value: ?\n" + hint, exitCode: 2
        )
    }
}
