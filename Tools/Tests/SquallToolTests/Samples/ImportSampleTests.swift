import Foundation
import Squall
import Testing

/// A small file with one kind of trouble, and what an import makes of it.
struct ImportSample: CustomTestStringConvertible, Sendable {
    enum Result: Sendable {
        /// The columns of the new table, and the rows as SQL literals.
        case table(columns: String, rows: [String])
        /// What standard error says, without the name of the file.
        case refused(String)
    }

    let trouble: String
    let file: String
    let text: String
    var options: [String] = []
    let result: Result

    var testDescription: String { trouble }
}

/// Files of our own that stand for public suites. The table of `Tools/README.md` lists them.
@Suite struct ImportSampleTests {
    private static let delimited = [
        ImportSample(
            trouble: "quotes in quotes, and quotes inside a field", file: "a.csv",
            text: "id,name\n1,\"say \"\"hi\"\"\"\n2,a \"b\" c\n",
            result: .table(columns: "id INTEGER, name TEXT", rows: ["1 'say \"hi\"'", "2 'a \"b\" c'"])),
        ImportSample(
            trouble: "line ends in quotes", file: "a.csv", text: "id,note\r\n1,\"two\nlines\"\r\n2,\"cr\r\nlf\"\r\n",
            result: .table(columns: "id INTEGER, note TEXT", rows: ["1 'two\nlines'", "2 'cr\r\nlf'"])),
        ImportSample(
            trouble: "empty fields, with and without quotes", file: "a.csv", text: "a,b,c\n1,,\"\"\n,x,\n",
            result: .table(columns: "a INTEGER, b TEXT, c TEXT", rows: ["1 NULL ''", "NULL 'x' NULL"])),
        ImportSample(
            trouble: "a row that is too short", file: "a.csv", text: "a,b\n1,2\n3\n",
            result: .refused("line 3: 1 field instead of 2\n")),
        ImportSample(
            trouble: "a row that is too long", file: "a.csv", text: "a,b\n1,2,3\n",
            result: .refused("line 2: 3 fields instead of 2\n")),
        ImportSample(
            trouble: "text after a quote", file: "a.csv", text: "a,b\n1,\"x\" y\n",
            result: .refused("line 2: field 2 has text after its closing quote\n")),
        ImportSample(
            trouble: "a quote without an end", file: "a.csv", text: "a,b\n1,\"x\n2,y\n",
            result: .refused("line 2: a quote is opened and never closed\n")),
        ImportSample(
            trouble: "spaces beside the delimiter", file: "a.csv", text: "a, b\n1, \"x\"\n",
            result: .table(columns: "a INTEGER,  b TEXT", rows: ["1 ' \"x\"'"])),
        ImportSample(
            trouble: "a byte order mark", file: "a.csv", text: "\u{FEFF}a,b\n1,2\n",
            result: .table(columns: "a INTEGER, b INTEGER", rows: ["1 2"])),
        ImportSample(
            trouble: "characters of four bytes", file: "a.csv", text: "été,名\n😀,ö\n",
            result: .table(columns: "été TEXT, 名 TEXT", rows: ["'😀' 'ö'"])),
        ImportSample(
            trouble: "line ends of CR alone", file: "a.csv", text: "a,b\r1,2\r3,4\r",
            result: .table(columns: "a INTEGER, b INTEGER", rows: ["1 2", "3 4"])),
        ImportSample(
            trouble: "no line end at the end", file: "a.csv", text: "a\n1",
            result: .table(columns: "a INTEGER", rows: ["1"])),
        ImportSample(
            trouble: "semicolons, and decimal commas", file: "a.csv", text: "a;b\n1,5;2\n",
            options: ["--delimiter", ";"],
            result: .table(columns: "a TEXT, b INTEGER", rows: ["'1,5' 2"])),
        ImportSample(
            trouble: "tabs", file: "a.tsv", text: "a\tb\n1\t\"x\ty\"\n",
            result: .table(columns: "a INTEGER, b TEXT", rows: ["1 'x\ty'"])),
        ImportSample(
            trouble: "leading zeros, signs and exponents", file: "a.csv", text: "zip,n,e\n00501,+1,1e3\n90210,2,4\n",
            result: .table(columns: "zip TEXT, n TEXT, e TEXT", rows: ["'00501' '+1' '1e3'", "'90210' '2' '4'"])),
        ImportSample(
            trouble: "integers beyond 64 bits", file: "a.csv", text: "a,b\n9223372036854775807,9223372036854775808\n",
            result: .table(columns: "a INTEGER, b TEXT", rows: ["9223372036854775807 '9223372036854775808'"])),
        ImportSample(
            trouble: "decimal numbers of 20 digits", file: "a.csv", text: "a,b\n0.1,0.12345678901234567890\n",
            result: .table(columns: "a REAL, b TEXT", rows: ["0.1 '0.12345678901234567890'"])),
        ImportSample(
            trouble: "dates, also impossible ones", file: "a.csv",
            text: "d,t\n2024-02-30,12:00\n2024-01-01T00:00:00Z,\n",
            result: .table(
                columns: "d TEXT, t TEXT", rows: ["'2024-02-30' '12:00'", "'2024-01-01T00:00:00Z' NULL"])),
        ImportSample(
            trouble: "amounts and Booleans", file: "a.csv", text: "a,b\n\"1,234\",true\n$5,false\n",
            result: .table(columns: "a TEXT, b TEXT", rows: ["'1,234' 'true'", "'$5' 'false'"])),
        ImportSample(
            trouble: "a word for NULL", file: "a.csv", text: "a\n1\nNA\n", options: ["--null", "NA"],
            result: .table(columns: "a INTEGER", rows: ["1", "NULL"])),
        ImportSample(
            trouble: "two columns of one name", file: "a.csv", text: "a,A\n1,2\n",
            result: .refused("two columns have the name 'A'\nhint: give all columns other names with --columns\n")),
        ImportSample(
            trouble: "a column without a name", file: "a.csv", text: "a,,\n1,2,\n",
            result: .table(columns: "a INTEGER, column2 INTEGER, column3 TEXT", rows: ["1 2 NULL"])),
        ImportSample(
            trouble: "blank lines", file: "a.csv", text: "a,b\n\n1,2\n\n",
            result: .table(columns: "a INTEGER, b INTEGER", rows: ["1 2"])),
        ImportSample(
            trouble: "a header alone", file: "a.csv", text: "a,b\n", result: .table(columns: "a TEXT, b TEXT", rows: [])
        ),
        ImportSample(
            trouble: "an empty file", file: "a.csv", text: "",
            result: .refused("the file is empty\nhint: its first line has the names of the columns\n")),
    ]

    private static let json = [
        ImportSample(
            trouble: "nested JSON, and values of several kinds", file: "a.json",
            text: #"[{"a": 1, "b": {"c": [1, 2]}}, {"a": "x", "d": true}]"#,
            result: .table(columns: "a , b TEXT, d INTEGER", rows: [#"1 '{"c":[1,2]}' NULL"#, "'x' NULL 1"])),
        ImportSample(
            trouble: "NDJSON with blank lines", file: "a.ndjson",
            text: "{\"a\": 1}\n\n{\"a\": null, \"b\": \"\\u00e9\"}\n",
            result: .table(columns: "a INTEGER, b TEXT", rows: ["1 NULL", "NULL 'é'"])),
        ImportSample(
            trouble: "JSON integers beyond 64 bits", file: "a.json", text: #"[{"a": 12345678901234567890}, {"a": 1}]"#,
            result: .table(columns: "a ", rows: ["'12345678901234567890'", "1"])),
        ImportSample(
            trouble: "an object around the rows", file: "a.json", text: #"{"rows": [{"a": 1}]}"#,
            result: .refused(
                "line 1: '{' where an array of objects is expected\nhint: for one object on each line use --format ndjson\n"
            )),
        ImportSample(
            trouble: "rows that are arrays", file: "a.json", text: "[[1, 2]]",
            result: .refused("line 1: an array instead of an object\n")),
    ]

    @Test(arguments: delimited + json) func eachIsReadOrRefused(sample: ImportSample) async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.file(sample.file, sample.text)
        let database = directory.path("test.db")
        let outcome = try await Tool.shell(
            "\"$SQUALL\" import \"$@\"", [database, path, "--table", "t"] + sample.options)
        switch sample.result {
        case .table(let columns, let rows):
            expect(outcome, prints: rows.count == 1 ? "1 row into t\n" : "\(rows.count) rows into t\n")
            let found: [String] = try Connection(database, mode: .readOnly).query(
                "SELECT group_concat(name || ' ' || type, ', ') FROM pragma_table_info('t')")
            #expect(found == [columns])
            #expect(try directory.literals("SELECT * FROM t") == rows)
        case .refused(let reason):
            #expect(outcome.output == "" && outcome.exitCode == 65)
            #expect(
                outcome.error == "error: \(path), \(reason)" || outcome.error == "error: \(path): \(reason)",
                "\(outcome)")
            #expect(try directory.files() == [sample.file])
        }
    }

    /// An export of what was read is read again as the same.
    @Test(arguments: delimited + json) func whatWasReadSurvivesAnExport(sample: ImportSample) async throws {
        guard case .table(_, let rows) = sample.result else { return }
        let directory = try TemporaryDirectory()
        let (path, database) = (try directory.file(sample.file, sample.text), directory.path("test.db"))
        _ = try await Tool.shell("\"$SQUALL\" import \"$@\"", [database, path, "--table", "t"] + sample.options)
        for format in ["csv", "tsv", "ndjson"] {
            let copy = directory.path("copy.\(format)")
            try await expect(Tool.run("export", database, "t", "--out", copy))
            // Without a row, JSON has no columns.
            if rows.isEmpty, format == "ndjson" { continue }
            let connection = try Connection(storageLocation: .onDisk(database))
            try connection.execute("DROP TABLE IF EXISTS copy; CREATE TABLE copy AS SELECT * FROM t WHERE 0")
            connection.close()
            let outcome = try await Tool.run("import", database, copy)
            #expect(outcome.exitCode == 0 && outcome.error == "", "\(format): \(outcome)")
            #expect(try directory.literals("SELECT * FROM copy") == rows, "\(format)")
        }
    }
}
