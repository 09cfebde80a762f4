import Testing

import SquallBase

@Suite struct StatementSplitterTests {
    /// The statements of a text, and what follows the last.
    private func split(_ pieces: String...) -> [String] {
        var splitter = StatementSplitter()
        return pieces.flatMap { splitter.add($0) } + [splitter.takeRest() ?? "·"]
    }

    @Test func aSemicolonEndsAStatement() {
        #expect(split("select 1; select 2;") == ["select 1;", " select 2;", "·"])
        #expect(split("select 1") == ["select 1"])
        #expect(split("sel", "ect 1", ";x") == ["select 1;", "x"])
        #expect(split(";; \n ;") == ["·"])
        #expect(split("") == ["·"])
    }

    @Test func quotesAndCommentsHaveNone() {
        for text in [
            "';'", "'it''s;'", "\";\"", "`;`", "[;]", "/* ; ' */ 1", "-- ; '\n1", "/*/ ; */ 1", "1 - - 2", "1 / 2",
            "'a\n;'", "x';'", "/**;**/1",
        ] {
            #expect(split("select \(text);b") == ["select \(text);", "b"])
        }
        #expect(split("select ';") == ["select ';"])
        #expect(split("select 1 /* ;") == ["select 1 /* ;"])
        #expect(split("/", "* ; *", "/ a;", "-", "- ;\nb;") == ["/* ; */ a;", "-- ;\nb;", "·"])
        #expect(split("-- only a comment") == ["·"])
        #expect(split("/* only a comment */") == ["·"])
        #expect(split("/* open") == ["/* open"])
    }

    @Test func aTriggerEndsWithItsEnd() {
        let trigger =
            "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO u VALUES('END;'); SELECT CASE WHEN 1 THEN 2 END; END;"
        for text in [
            trigger, trigger.lowercased(), "EXPLAIN " + trigger, "EXPLAIN QUERY PLAN " + trigger,
            trigger.replacing("CREATE", with: "CREATE /* ; */ TEMPORARY"),
            trigger.replacing("; END", with: "; -- x;\n END"),
        ] {
            #expect(split(text + "b") == [text, "b"])
        }
        #expect(split("CREATE TABLE trigger(a); b") == ["CREATE TABLE trigger(a);", " b"])
        #expect(split("create trigger r begin select 1;") == ["create trigger r begin select 1;"])
        #expect(split("SELECT 1 END; END;") == ["SELECT 1 END;", " END;", "·"])
    }

    /// The pieces end anywhere: inside a word, between two quotes, in the sign that begins or ends a comment.
    @Test func piecesMakeNoDifference() {
        let text =
            "select 'it''s; ' || \"a\"\"b;\" /* ; * / **/ -- ;\n, [a;b], x'00', `c``;` ; create trigger r begin select 1; end; -- x\nb"
        for size in 1...9 {
            var (splitter, statements, rest) = (StatementSplitter(), [String](), text.utf8[...])
            while !rest.isEmpty {
                statements += splitter.add(String(decoding: rest.prefix(size), as: UTF8.self))
                rest = rest.dropFirst(size)
            }
            #expect(statements + [splitter.takeRest() ?? "·"] == split(text), "\(size)")
        }
    }

    @Test func parametersOfTclHaveSemicolons() {
        #expect(split("select $a(;), :b::c(;); x") == ["select $a(;), :b::c(;);", " x"])
    }

    @Test func itKnowsWhetherAStatementHasBegun() {
        var splitter = StatementSplitter()
        #expect(!splitter.isInStatement)
        _ = splitter.add("select 1;\n  ")
        #expect(!splitter.isInStatement)
        _ = splitter.add("x")
        #expect(splitter.isInStatement)
        _ = splitter.add(";-- a comment\n")
        #expect(!splitter.isInStatement)
    }
}
