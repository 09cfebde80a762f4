/// The text that is being edited, without a terminal: keys go in, and what is to be done comes out.
///
/// The text has several lines when the statement does. The cursor is between `before` and `after`.
struct LineEditor {
    enum Action: Equatable {
        case none
        case redraw
        case accept(String)
        /// ^C.
        case cancel
        /// ^D in an empty line.
        case end
        case complete
        case clearScreen
    }

    private(set) var before = ""
    private(set) var after = ""
    private let history: [String]
    /// The place in the history, whose count stands for the text that was typed.
    private var place: Int
    /// The text that was typed before the history was entered.
    private var draft = ""
    /// The text that the last kill has removed.
    private var killed = ""

    var text: String { before + after }

    init(history: [String] = []) {
        self.history = history
        place = history.count
    }

    /// Handles a key.
    ///
    /// - Parameter isComplete: Whether ENTER ends the text instead of beginning another line.
    mutating func handle(_ key: Key, isComplete: (String) -> Bool) -> Action {
        switch key {
        case .text(let text), .paste(let text): before += text
        case .enter:
            guard isComplete(text) else {
                before += "\n"
                return .redraw
            }
            return .accept(text)
        case .tab: return .complete
        case .interrupt: return .cancel
        case .endOfInput:
            if text.isEmpty { return .end }
            after = String(after.dropFirst())
        case .clearScreen: return .clearScreen
        case .unknown: return .none
        case .backspace: before = String(before.dropLast())
        case .delete: after = String(after.dropFirst())
        case .yank: before += killed
        case .killToEnd, .killToStart, .killWord: kill(key)
        case .left, .right, .up, .down, .home, .end, .wordLeft, .wordRight: move(key)
        }
        return .redraw
    }

    /// Replaces the end of the text before the cursor. It is counted in bytes, because a quote and a combining mark form one
    /// `Character`.
    mutating func replace(lastBytes count: Int, with text: String) {
        before = String(decoding: before.utf8.dropLast(count), as: UTF8.self) + text
    }

    private mutating func kill(_ key: Key) {
        switch key {
        case .killToEnd:
            // At the end of a line, its newline is removed.
            let count = max(after.prefix { $0 != "\n" }.count, after.isEmpty ? 0 : 1)
            killed = String(after.prefix(count))
            after = String(after.dropFirst(count))
        case .killToStart: killBackward(lineBefore.count)
        default: killBackward(before.count - startOfWord)
        }
    }

    private mutating func killBackward(_ count: Int) {
        killed = String(before.suffix(count))
        before = String(before.dropLast(count))
    }

    private mutating func move(_ key: Key) {
        switch key {
        case .left: moveCursor(to: before.count - 1)
        case .right: moveCursor(to: before.count + 1)
        case .home: moveCursor(to: before.count - lineBefore.count)
        case .end: moveCursor(to: before.count + after.prefix { $0 != "\n" }.count)
        case .wordLeft: moveCursor(to: startOfWord)
        case .wordRight:
            let rest = after.drop { !$0.isOfWord }.drop(while: \.isOfWord)
            moveCursor(to: text.count - rest.count)
        case .up: before.contains("\n") ? moveToLineAbove() : recall(place - 1)
        default: after.contains("\n") ? moveToLineBelow() : recall(place + 1)
        }
    }

    /// The part of the cursor's line that is before the cursor.
    private var lineBefore: Substring {
        before[(before.lastIndex(of: "\n").map(before.index(after:)) ?? before.startIndex)...]
    }

    private var startOfWord: Int {
        let word = before.reversed().drop { !$0.isOfWord }.drop(while: \.isOfWord)
        return word.count
    }

    private mutating func moveCursor(to position: Int) {
        let text = text
        let index = text.index(text.startIndex, offsetBy: min(max(position, 0), text.count))
        (before, after) = (String(text[..<index]), String(text[index...]))
    }

    private mutating func moveToLineAbove() {
        let column = lineBefore.count
        let above = before.dropLast(column + 1)
        let length =
            above.count - (above.lastIndex(of: "\n").map { above.distance(from: above.startIndex, to: $0) + 1 } ?? 0)
        moveCursor(to: above.count - length + min(column, length))
    }

    private mutating func moveToLineBelow() {
        let column = lineBefore.count
        let rest = after.prefix { $0 != "\n" }.count
        let length = after.dropFirst(rest + 1).prefix { $0 != "\n" }.count
        moveCursor(to: before.count + rest + 1 + min(column, length))
    }

    private mutating func recall(_ newPlace: Int) {
        guard (0...history.count).contains(newPlace) else { return }
        if place == history.count { draft = text }
        place = newPlace
        (before, after) = (newPlace == history.count ? draft : history[newPlace], "")
    }
}

extension Character {
    /// Whether the character is part of a word, for moving and deleting word by word.
    var isOfWord: Bool { isLetter || isNumber || self == "_" }
}
