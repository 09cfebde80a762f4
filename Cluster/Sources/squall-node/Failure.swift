import ArgumentParser
import Foundation
import SquallCluster

/// The statuses with which the tool ends, as in `sysexits.h`.
enum Failure {
    /// Runs the work of a command. An error becomes a line on standard error and a status.
    nonisolated(nonsending) static func report(
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as ValidationError {
            throw error
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            throw ExitCode(status(of: error))
        }
    }

    static func status(of error: any Error) -> Int32 {
        switch error {
        case let error as ClusterError: status(of: error)
        case let error as ClusterAdministrationError: status(of: error)
        case let error as TransferError: status(of: error)
        #if os(Linux)
            case let error as ClusterNodeError: error.operation == .start || error.operation == .bind ? 69 : 1
        #endif
        default: 1
        }
    }

    private static func status(of error: ClusterError) -> Int32 {
        switch error {
        case .invalidAddress: 64
        case .cannotConnect, .connectionLost, .deadlineExceeded: 69
        default: 1
        }
    }

    private static func status(of error: ClusterAdministrationError) -> Int32 {
        switch error {
        case .noAddress, .unknownNode: 64
        case .noLeader, .noOtherVoter: 69
        case .identifierTaken, .addressTaken: 73
        }
    }

    private static func status(of error: TransferError) -> Int32 {
        switch error {
        case .fileExists, .notEmpty: 73
        case .damaged, .difference, .zeroByte, .invalidText, .tooManyColumns: 65
        case .file, .noDatabase: 1
        }
    }
}
