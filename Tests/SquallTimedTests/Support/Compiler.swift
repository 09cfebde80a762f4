#if os(Linux) || os(macOS)
    import Foundation
    import SquallTestSupport
    import Testing

    /// The compiler, for programs that import this build of the library.
    enum Compiler {
        static let modules: URL? = {
            #if os(Linux)
                let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            #else
                let program =
                    Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
                    ?? URL(fileURLWithPath: "/")
            #endif
            let folder = program.deletingLastPathComponent().appending(path: "Modules")
            return FileManager.default.fileExists(atPath: folder.appending(path: "Squall.swiftmodule").path)
                ? folder : nil
        }()

        /// Whether programs can be checked. Under a sanitizer, nothing would be found that is not found without it.
        static let isThere = !Sanitizers.areInUse && modules != nil && (try? run(["swiftc", "--version"])) != nil

        /// How far a program is compiled.
        enum Stage {
            case types
            /// With the paths through functions, and what is sent between tasks.
            case flow

            fileprivate var options: [String] {
                switch self {
                case .types: ["-typecheck"]
                case .flow: ["-emit-sil", "-o", "/dev/null"]
                }
            }
        }

        /// An error or a warning of the compiler.
        struct Diagnostic {
            let line: Int
            let isError: Bool
            let message: String
        }

        /// Returns the errors and warnings of a program, in the order of its lines.
        static func diagnostics(_ source: String) throws -> [Diagnostic] {
            diagnostics(in: try check(source))
        }

        /// Returns the errors and warnings in the output of the compiler, in the order of the program's lines.
        static func diagnostics(in output: String) -> [Diagnostic] {
            output.matches(of: /main\.swift:(\d+):\d+: (error|warning): (.*)/)
                .compactMap { match in
                    Int(match.1).map {
                        Diagnostic(line: $0, isError: match.2 == "error", message: String(match.3))
                    }
                }
                .sorted { $0.line < $1.line }
        }

        /// Returns the output of the compiler for a program.
        ///
        /// - Parameter scopes: The steps that the type checker may take for an expression, a measure that does not depend
        ///   on the machine: 1,000 are at most a tenth of a second, 50,000 a second, and 1,000,000 the compiler's own limit.
        /// - Parameter stage: How far the program is compiled. Only a program whose types are right comes to the stage after them.
        static func check(_ source: String, scopes: Int = 1_000_000, stage: Stage = .types) throws -> String {
            let directory = try TemporaryDirectory()
            try source.write(toFile: directory.file("main.swift"), atomically: true, encoding: .utf8)
            let root = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardized
            let map = root.appending(path: "Sources/SquallSQLite/module.modulemap").path
            let output = try run(
                ["swiftc"] + stage.options + ["-swift-version", "6", "-parse-as-library", "-I", modules?.path ?? ""]
                    + ["-Xfrontend", "-solver-scope-threshold=\(scopes)", "-Xcc", "-fmodule-map-file=\(map)"]
                    + [directory.file("main.swift")]
            )
            #expect(!output.contains("no such module"), "\(output)")
            return output
        }

        private static func run(_ arguments: [String]) throws -> String {
            try TestProcess(path: "/usr/bin/env", arguments, withErrors: true).end().output
        }
    }
#endif
