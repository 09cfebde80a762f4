import ArgumentParser
import Foundation
import Testing

@testable import SquallTool

@Suite struct HelpTests {
    private static func commands(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap(commands)
    }

    /// A paragraph is one line in the source, which is wrapped where it is printed. A line that was wrapped in the source would be
    /// wrapped again, and end early.
    @Test(arguments: [60, 80, 100]) func noLineEndsEarly(width: Int) {
        for command in Self.commands(SquallCommand.self) {
            let text = SquallCommand.helpMessage(for: command, columns: width)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (line, next) in zip(lines, lines.dropFirst()) {
                // Examples and lists of options are indented, and the line of usage is not wrapped.
                guard let word = next.split(separator: " ").first, !next.hasPrefix(" "), !line.hasPrefix(" "),
                    !line.isEmpty,
                    !line.hasPrefix("USAGE")
                else { continue }
                let isHeading = line.allSatisfy { $0.isUppercase || $0.isPunctuation || $0 == " " }
                // A format begins with its name and a colon.
                let isItem =
                    word.hasSuffix(":") && OutputFormat(rawValue: String(word.dropLast())) != nil || word == "sql:"
                #expect(isHeading || isItem || line.count + 1 + word.count >= width, "\(command._commandName): \(line)")
            }
        }
    }

    @Test func noExampleIsWrapped() {
        for command in Self.commands(SquallCommand.self) {
            let text = SquallCommand.helpMessage(for: command, columns: 80)
            let examples = command.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
            for example in examples { #expect(text.contains("\n\(example)\n"), "\(example)") }
        }
    }
}
