import Foundation
import Squall
import SquallBase

/// Runs what a person types. An error does not end it.
struct Prompt {
    private let session: ShellSession

    init(_ session: ShellSession) {
        self.session = session
        session.isInteractive = true
    }

    func run() throws {
        // A ^C that comes after the end of a statement must not end the shell.
        let signal = InterruptSignal([SIGINT]) {}
        defer { signal.cancel() }
        // Without a terminal that moves its cursor, the lines are edited by the terminal itself.
        guard Console.isTerminal(STDOUT_FILENO) else { return try runPlain() }
        let line = TerminalLine()
        var history = History(path: History.path)
        let completion = ShellCompletion(session.connection)
        while true {
            let input = try line.read(prompt: prompt, history: history.entries, isComplete: Self.isComplete) { editor in
                completion.complete(&editor)
            }
            switch input {
            case .cancelled: continue
            case .ended: return
            case .text(let text):
                history.add(text)
                guard try handle(text) else { return }
            }
        }
    }

    private var prompt: String { session.connection.isInTransaction ? "squall*> " : "squall> " }

    private func runPlain() throws {
        var text = ""
        while let line = readLine(strippingNewline: false) {
            text += line
            guard Self.isComplete(text) else { continue }
            guard try handle(text) else { return }
            text = ""
        }
        _ = try handle(text)
    }

    private static func isComplete(_ text: String) -> Bool {
        if text.hasPrefix(".") { return true }
        var splitter = StatementSplitter()
        // The newline ends a comment of one line.
        _ = splitter.add(text + "\n")
        return !splitter.isInStatement
    }

    /// - Returns: Whether the prompt goes on.
    private func handle(_ text: String) throws -> Bool {
        do {
            if text.hasPrefix(".") { return try DotCommand(text).run(in: session) }
            var splitter = StatementSplitter()
            for statement in splitter.add(text) { try session.run(statement) }
            if let rest = splitter.takeRest() { try session.run(rest) }
        } catch {
            guard let failure = Failure(error) else { throw error }
            // The output is gone.
            if failure.exitCode == .ioError, !(error is SQLiteError) { throw failure }
            Console.printError(failure.exitCode == .interrupted ? "interrupted" : failure.description)
        }
        return true
    }
}
