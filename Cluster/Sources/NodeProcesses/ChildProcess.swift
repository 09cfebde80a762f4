#if os(Linux)
    import Foundation
    import Glibc
    import NIOConcurrencyHelpers
    import NIOPosix

    /// A process that is killed when it is released, and when this process ends.
    package final class ChildProcess: Sendable {
        /// How a process ended.
        package enum End: Hashable, Sendable {
            case status(Int32)
            case signal(Int32)
        }

        /// A child is killed when the thread that started it ends. These threads never do.
        private static let threads: NIOThreadPool = {
            let threads = NIOThreadPool(numberOfThreads: 16)
            threads.start()
            return threads
        }()

        package let id: pid_t
        private let output: URL
        private let errors: URL
        private let end = NIOLockedValueBox<End?>(nil)

        /// Starts a program. What it prints is kept in files of the directory.
        package init(_ arguments: [String], in directory: URL) async throws {
            let name = UUID().uuidString
            output = directory.appendingPathComponent(name + ".out")
            errors = directory.appendingPathComponent(name + ".err")
            id = try await Self.threads.runIfActive { [output, errors] in
                let words = ["setpriv", "--pdeathsig", "KILL"] + arguments
                return try Self.spawn(words, output: output.path, errors: errors.path)
            }
        }

        deinit {
            guard end.withLockedValue({ $0 }) == nil else { return }
            Glibc.kill(id, SIGKILL)
            waitpid(id, nil, 0)
        }

        package func send(_ signal: Int32) {
            Glibc.kill(id, signal)
        }

        /// Waits until the process ends.
        package func wait() async throws -> End {
            try await Self.threads.runIfActive { [id, end] in
                end.withLockedValue { end in
                    if let end { return end }
                    var status: Int32 = 0
                    while waitpid(id, &status, 0) < 0, errno == EINTR {}
                    let found: End = status & 0x7f == 0 ? .status(status >> 8 & 0xff) : .signal(status & 0x7f)
                    end = found
                    return found
                }
            }
        }

        package func printed() throws -> String { try String(contentsOf: output, encoding: .utf8) }

        package func printedErrors() throws -> String { try String(contentsOf: errors, encoding: .utf8) }

        /// Runs a program to its end.
        ///
        /// - Throws: ``ProgramFailure`` if its status is not 0.
        package static func run(_ arguments: [String], in directory: URL) async throws {
            let process = try await ChildProcess(arguments, in: directory)
            guard try await process.wait() == .status(0) else {
                throw ProgramFailure(arguments: arguments, errors: try process.printedErrors())
            }
        }

        private static func spawn(_ arguments: [String], output: String, errors: String) throws -> pid_t {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            let flags = O_WRONLY | O_CREAT | O_TRUNC
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o600)
            posix_spawn_file_actions_addopen(&actions, 2, errors, flags, 0o600)
            var words = arguments.map { strdup($0) }
            defer { for word in words { free(word) } }
            words.append(nil)
            var id: pid_t = 0
            let code = posix_spawnp(&id, arguments[0], &actions, nil, words, environ)
            guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
            return id
        }
    }

    /// A program that ended with another status than 0.
    package struct ProgramFailure: Error, CustomStringConvertible {
        let arguments: [String]
        let errors: String

        package var description: String { "\(arguments.joined(separator: " ")): \(errors)" }
    }
#endif
