import Foundation
import Testing

@Suite struct CompletionTests {
    @Test func theVersionNamesSQLite() async throws {
        let outcome = try await Tool.run("--version")
        #expect(outcome.exitCode == 0 && outcome.error == "")
        #expect(
            outcome.output.wholeMatch(of: /squall [0-9]+\.[0-9]+\.[0-9]+(-dev)? \(SQLite 3\.[0-9]+\.[0-9]+\)\n/)
                != nil)
    }

    /// The words that Bash offers after a command line, with the script that the tool prints.
    private func completions(_ words: [String], in directory: TemporaryDirectory) async throws -> [String] {
        let script = try directory.file(
            "complete.sh",
            """
            cd "$1" && shift
            source <("$SQUALL" --generate-completion-script bash)
            squall() { "$SQUALL" "$@"; }
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=$((${#COMP_LINE})) COMP_TYPE=9
            _squall squall "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        )
        let outcome = try await Tool.shell(
            "exec /bin/bash --norc \"$@\"", [script, directory.url.path] + words
        )
        #expect(outcome.error == "" && outcome.exitCode == 0)
        return outcome.output.split(separator: "\n").map { String($0).trimmingCharacters(in: .whitespaces) }.sorted()
    }

    @Test(.enabled("needs Bash") { FileManager.default.isExecutableFile(atPath: "/bin/bash") })
    func bashCompletesVerbsFilesAndFormats() async throws {
        let directory = try TemporaryDirectory()
        _ = try directory.file("app.db", "")
        #expect(try await completions(["squall", "que"], in: directory) == ["query"])
        #expect(try await completions(["squall", "query", "ap"], in: directory) == ["app.db"])
        #expect(try await completions(["squall", "query", "--format", ""], in: directory).contains("json"))
        #expect(try await completions(["squall", "query", "--ti"], in: directory) == ["--timeout"])
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func eachShellHasAScript(shell: String) async throws {
        #expect(
            try await Tool.run("--help").output.contains("\n  source <(squall --generate-completion-script bash)\n"))
        let outcome = try await Tool.run("--generate-completion-script", shell)
        #expect(outcome.error == "" && outcome.exitCode == 0 && outcome.output.contains("squall"))
    }
}
