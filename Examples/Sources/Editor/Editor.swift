import SquallChanges
import Squall

/// A text in a database: each line is a row. A trigger counts the words of each line.
struct Editor {
    let database: Database
    let history: UndoHistory

    init(_ path: String) throws {
        database = try Database(path)
        try database.blocking.writeWithoutTransaction {
            try $0.execute(
                """
                CREATE TABLE line(number INTEGER PRIMARY KEY, text TEXT NOT NULL);
                CREATE TABLE size(id INTEGER PRIMARY KEY CHECK (id = 1), characters INTEGER NOT NULL);
                INSERT INTO size VALUES(1, 0);
                CREATE TRIGGER grow AFTER INSERT ON line BEGIN
                    UPDATE size SET characters = characters + length(new.text);
                END;
                CREATE TRIGGER shrink AFTER DELETE ON line BEGIN
                    UPDATE size SET characters = characters - length(old.text);
                END;
                CREATE TRIGGER change AFTER UPDATE ON line BEGIN
                    UPDATE size SET characters = characters + length(new.text) - length(old.text);
                END;
                """)
        }
        // What triggers write to `size` belongs to the steps too.
        history = try UndoHistory(database, tables: ["line", "size"], limit: 50)
    }

    /// The editor has a thread to itself, and may block it.
    var steps: UndoHistory.Blocking { history.blocking }

    /// Adds a line. The statement is a step without a name.
    func type(_ text: String) throws {
        try database.blocking.writeWithoutTransaction { try $0.run("INSERT INTO line(text) VALUES(\(text))") }
    }

    /// Replaces a word in all lines: one step, however many lines change.
    func replace(_ word: String, with other: String) throws {
        try steps.write("Replace \(word)") {
            try $0.run("UPDATE line SET text = replace(text, \(word), \(other)) WHERE instr(text, \(word))")
        }
    }

    /// Moves the last line to the top. Each line gets another key.
    func moveLastLineToTop() throws {
        try steps.write("Move line") { connection in
            let last: Int = try connection.query("SELECT max(number) FROM line")
            try connection.run("UPDATE line SET number = -number")
            try connection.run("UPDATE line SET number = -number % \(last) + 1")
        }
    }

    /// Begins an empty text, from which no step leads back.
    func startAgain() throws {
        try database.blocking.write { try $0.run("DELETE FROM line") }
        history.removeAll()
    }

    func show(_ title: String) throws {
        print("\(title):")
        try database.blocking.read { connection in
            try connection.forEach("SELECT number, text FROM line ORDER BY number") { row in
                print("  \(try row.get("number", as: Int.self))  \(try row.get("text", as: String.self))")
            }
            let characters: Int = try connection.query("SELECT characters FROM size")
            print(
                "  \(characters) characters, undo: \(menu(history.canUndo, history.undoName)), redo: \(menu(history.canRedo, history.redoName))"
            )
        }
    }

    private func menu(_ isEnabled: Bool, _ name: String?) -> String { isEnabled ? name ?? "Typing" : "-" }
}

func edit() throws {
    let editor = try Editor("text.db")
    try editor.type("The quick brown fox")
    try editor.type("jumps over the lazy dog.")
    try editor.show("Two lines")

    try editor.replace("dog", with: "cat")
    try editor.moveLastLineToTop()
    try editor.show("A word replaced, and a line moved")

    try editor.steps.undo()
    try editor.show("Undone")
    try editor.steps.undo()
    try editor.steps.undo()
    try editor.show("Undone twice more")
    while try editor.steps.redo() {}
    try editor.show("All redone")

    // Another program edits the first line.
    let other = try Connection("text.db")
    try other.run("UPDATE line SET text = upper(text) WHERE number = 1")
    do {
        try editor.steps.undo()
    } catch let error as UndoConflictError {
        print("Not undone: \(error.localizedDescription)")
        for conflict in error.conflicts {
            print("  \(conflict.kind): \(conflict.change?.description ?? "a foreign key")")
        }
    }
    try editor.show("As the other program has left it")
    try editor.startAgain()
    try editor.show("Another text")
    try editor.database.blocking.close()
}
