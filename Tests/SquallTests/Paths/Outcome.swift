@testable import Squall

/// What a path gave: a result, or the kind of its error.
enum Outcome<Result: Equatable>: Equatable {
    case result(Result)
    case failure(String)

    init(_ body: () throws -> Result) {
        do {
            self = .result(try body())
        } catch {
            self = .failure(Self.kind(of: error))
        }
    }

    var result: Result? {
        if case .result(let result) = self { result } else { nil }
    }

    /// Returns what two errors of one cause have in common, whatever their paths.
    private static func kind(of error: any Error) -> String {
        switch error {
        case let error as InsertionError: kind(of: error.reason)
        case let error as ConversionError: "conversion, \(error.reason)"
        // Where SQLite asks for a result, there is no value that could be named.
        case let error as SQLiteError where error.message.contains("NaN") || "\(error.kind)".contains("notANumber"):
            "NaN"
        case let error as SQLiteError:
            switch error.kind {
            case .sqlite: error.extendedResultCode.name
            case .problem(let problem): "\(problem.base)".prefixUpToParenthesis
            case let kind: "\(kind)".prefixUpToParenthesis
            }
        default: "\(type(of: error))"
        }
    }
}

extension String {
    fileprivate var prefixUpToParenthesis: String { String(prefix { $0 != "(" }) }
}
