import Testing

@testable import SquallTool

/// Types keys into an editor whose texts are complete when they end with `;`. The cursor is shown as `|`.
private func edit(_ keys: Key..., history: [String] = []) -> (text: String, actions: [LineEditor.Action]) {
    var editor = LineEditor(history: history)
    let actions = keys.map { editor.handle($0) { $0.isEmpty || $0.hasSuffix(";") } }
    return (editor.before + "|" + editor.after, actions.filter { $0 != .redraw })
}

@Suite struct LineEditorTests {
    @Test func textIsInsertedAtTheCursor() {
        #expect(edit(.text("a"), .text("c"), .left, .text("b")).text == "ab|c")
        #expect(edit(.text("漢"), .text("e"), .text("\u{301}"), .text("👨‍👩‍👧‍👦"), .left, .left).text == "漢|e\u{301}👨‍👩‍👧‍👦")
        #expect(edit(.paste("a\n\tb")).text == "a\n\tb|")
    }

    @Test func theCursorStopsAtTheEnds() {
        #expect(edit(.left, .right, .text("a"), .right, .left, .left).text == "|a")
        #expect(edit(.text("ab cd"), .home, .text("x"), .end, .text("y")).text == "xab cdy|")
    }

    @Test func wholeCharactersAreDeleted() {
        #expect(edit(.text("a🇩🇪e\u{301}"), .backspace, .backspace).text == "a|")
        #expect(edit(.text("a🇩🇪b"), .home, .right, .delete).text == "a|b")
        #expect(edit(.backspace, .delete, .killWord, .killToEnd, .killToStart).text == "|")
    }

    @Test func wordsAndLinesAreDeleted() {
        #expect(edit(.text("select a_1 from "), .killWord).text == "select a_1 |")
        #expect(edit(.text("one two"), .wordLeft, .killToStart).text == "|two")
        #expect(edit(.text("one two"), .home, .wordRight, .killToEnd).text == "one|")
        #expect(edit(.text("one two"), .killWord, .home, .yank, .text(" ")).text == "two |one ")
        #expect(edit(.paste("a\nbc"), .killToStart).text == "a\n|")
        #expect(edit(.paste("ab\ncd"), .up, .home, .killToEnd).text == "|\ncd")
        #expect(edit(.paste("ab\ncd"), .up, .killToEnd).text == "ab|cd")
    }

    @Test func enterEndsACompleteText() {
        let (text, actions) = edit(.text("select"), .enter, .text("1;"), .enter)
        #expect(text == "select\n1;|" && actions == [.accept("select\n1;")])
        #expect(edit(.enter).actions == [.accept("")])
    }

    @Test func theCursorMovesBetweenLines() {
        #expect(edit(.paste("abc\nd\nefg"), .up).text == "abc\nd|\nefg")
        #expect(edit(.paste("abc\nd\nefg"), .up, .up).text == "a|bc\nd\nefg")
        #expect(edit(.paste("abc\nd\nefg"), .up, .up, .end, .down, .down).text == "abc\nd\ne|fg")
        #expect(edit(.paste("abc\ndef"), .home).text == "abc\n|def")
        #expect(edit(.paste("\n\n"), .up, .up, .text("x")).text == "x|\n\n")
    }

    @Test func theHistoryIsRecalledAndTheDraftIsKept() {
        let history = ["one;", "two\n;"]
        #expect(edit(.text("dr"), .up, history: history).text == "two\n;|")
        #expect(edit(.text("dr"), .up, .up, .up, history: history).text == "one;|")
        #expect(edit(.text("dr"), .up, .down, history: history).text == "dr|")
        #expect(edit(.text("dr"), .down, history: history).text == "dr|")
        #expect(edit(.text("dr"), .up, .text("x"), .down, history: history).text == "dr|")
    }

    @Test func otherKeysAreActions() {
        #expect(edit(.endOfInput).actions == [.end])
        #expect(edit(.text("ab"), .home, .endOfInput).text == "|b")
        #expect(edit(.text("a"), .interrupt).actions == [.cancel])
        #expect(edit(.tab, .clearScreen, .unknown).actions == [.complete, .clearScreen, .none])
    }

    /// No sequence of keys may move the cursor out of the text, or change what only moves.
    @Test(arguments: 1...20)
    func anyKeysLeaveAValidText(seed: Int) {
        var random = SeededGenerator(seed: seed)
        let keys: [Key] = [
            .text("a"), .text(" "), .text("漢"), .text("\u{301}"), .text("👩"), .text("\u{200D}"), .paste("x\ny"), .enter,
            .backspace,
            .delete, .left, .right, .up, .down, .home, .end, .wordLeft, .wordRight, .killToEnd, .killToStart, .killWord,
            .yank,
        ]
        var editor = LineEditor(history: ["history\nof two lines", ""])
        for _ in 0..<500 {
            let key = keys.randomElement(using: &random) ?? .left
            let before = editor.text
            _ = editor.handle(key) { _ in false }
            if [.left, .right, .home, .end, .wordLeft, .wordRight].contains(key) {
                #expect(editor.text == before, "seed \(seed)")
            }
            let layout = LineLayout(editor, prompt: "> ", continuation: ". ", width: 7)
            #expect(
                layout.rows.indices.contains(layout.cursorRow) && (0..<7).contains(layout.cursorColumn), "seed \(seed)")
            #expect(layout.rows.allSatisfy { $0.displayWidth <= 7 || $0.count == 1 }, "seed \(seed)")
        }
    }
}

@Suite struct KeyDecoderTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return text.utf8.compactMap { decoder.decode($0) }
    }

    @Test func keysAreDecodedByteByByte() {
        #expect(keys("aß漢👍") == [.text("a"), .text("ß"), .text("漢"), .text("👍")])
        #expect(
            keys("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D\u{1B}OH\u{1B}[4~\u{1B}[3~") == [
                .up, .down, .right, .left, .home, .end, .delete,
            ])
        #expect(
            keys("\u{1}\u{5}\u{B}\u{15}\u{17}\u{7F}\u{8}") == [
                .home, .end, .killToEnd, .killToStart, .killWord, .backspace, .backspace,
            ])
        #expect(keys("\u{3}\u{4}\t\r\n\u{C}") == [.interrupt, .endOfInput, .tab, .enter, .enter, .clearScreen])
        #expect(keys("\u{1B}[1;5D\u{1B}f\u{1B}b\u{1B}\u{7F}") == [.wordLeft, .wordRight, .wordLeft, .killWord])
    }

    @Test func whatIsPastedIsText() {
        #expect(keys("\u{1B}[200~a\tb\r\nc\u{1B}[A\rd\u{1B}[201~e") == [.paste("a\tb\nc\u{1B}[A\nd"), .text("e")])
    }

    @Test func whatIsNotKnownDoesNothing() {
        #expect(
            keys("\u{1B}[99~\u{1B}[<1;2;3Ma\u{1B}xb\u{1}") == [
                .unknown, .unknown, .text("a"), .unknown, .text("b"), .home,
            ])
    }

    @Test func invalidBytesAreNotText() {
        var decoder = KeyDecoder()
        let bytes: [UInt8] = [0xFF, 0xC3, 0x28, 0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0x1B, 0x5B, 0x41, 0xED, 0xA0, 0x80]
        let keys = bytes.compactMap { decoder.decode($0) }
        // A byte that cannot follow begins the next key.
        #expect(keys == [.unknown, .text("("), .text("€"), .unknown, .up, .unknown])
    }
}

@Suite struct LineLayoutTests {
    private func layout(_ keys: Key..., width: Int = 10) -> LineLayout {
        var editor = LineEditor()
        for key in keys { _ = editor.handle(key) { _ in false } }
        return LineLayout(editor, prompt: "sq> ", continuation: "..> ", width: width)
    }

    private func expect(
        _ layout: LineLayout, _ rows: [String], _ row: Int, _ column: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(layout.rows == rows, sourceLocation: sourceLocation)
        #expect([layout.cursorRow, layout.cursorColumn] == [row, column], sourceLocation: sourceLocation)
    }

    @Test func longLinesGoOnInTheNextRow() {
        expect(layout(.text("abc")), ["sq> abc"], 0, 7)
        expect(layout(.text("abcdef")), ["sq> abcdef", ""], 1, 0)
        expect(layout(.text("abcdefgh")), ["sq> abcdef", "gh"], 1, 2)
        expect(layout(.text("abcdefgh"), .home), ["sq> abcdef", "gh"], 0, 4)
        expect(layout(.text("abcdefgh"), .left, .left), ["sq> abcdef", "gh"], 1, 0)
    }

    @Test func wideCharactersAreNotDivided() {
        Console.prepare()
        expect(layout(.text("ab漢字")), ["sq> ab漢字", ""], 1, 0)
        expect(layout(.text("abc漢字")), ["sq> abc漢", "字"], 1, 2)
        expect(layout(.text("👨‍👩‍👧‍👦e\u{301}")), ["sq> 👨‍👩‍👧‍👦e\u{301}"], 0, 7)
    }

    @Test func linesHaveAPrompt() {
        expect(layout(.paste("a\nb")), ["sq> a", "..> b"], 1, 5)
        expect(layout(.paste("a\n")), ["sq> a", "..> "], 1, 4)
        expect(layout(.paste("abcdef\nb"), .up, .end), ["sq> abcdef", "", "..> b"], 1, 0)
    }

    @Test func controlCharactersAreShown() {
        expect(layout(.paste("\t\u{1B}[A"), width: 40), ["sq> " + "    " + "\\u{1B}[A"], 0, 16)
    }

    @Test func aDrawingReplacesTheOneBefore() {
        var display = LineDisplay()
        #expect(
            display.draw(layout(.text("abcdefgh"), .home), height: 24)
                == "\r\u{1B}[Jsq> abcdef\r\ngh\u{1B}[1A\r\u{1B}[4C")
        #expect(display.draw(layout(.text("abcdefgh")), height: 24) == "\r\u{1B}[Jsq> abcdef\r\ngh\r\u{1B}[2C")
        #expect(display.draw(layout(.text("a")), height: 24) == "\u{1B}[1A\r\u{1B}[Jsq> a\r\u{1B}[5C")
        // Of more rows than the terminal has, those before the cursor are drawn.
        #expect(display.draw(layout(.paste("a\nb\nc")), height: 2) == "\r\u{1B}[J..> b\r\n..> c\r\u{1B}[5C")
        #expect(
            display.draw(layout(.paste("a\nb\nc"), .up, .up), height: 2)
                == "\u{1B}[1A\r\u{1B}[Jsq> a\r\n..> b\u{1B}[1A\r\u{1B}[5C")
    }
}
