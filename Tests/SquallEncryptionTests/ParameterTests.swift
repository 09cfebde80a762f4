import Foundation
import Squall
import SquallEncryption
import SquallTestSupport
import Testing

/// Files with parameters other than the defaults.
@Suite(.enabled(if: EncryptedFolder.hasCipher)) struct ParameterTests {
    private let folder: EncryptedFolder

    init() throws {
        folder = try EncryptedFolder()
    }

    private func configuration(_ change: (inout Encryption.Parameters) -> Void) -> Configuration {
        var encryption = Encryption.passphrase { "a passphrase" }
        encryption.parameters.iterations = 10
        change(&encryption.parameters)
        return EncryptedFolder.configuration(encryption)
    }

    private func expectRoundTrip(_ change: (inout Encryption.Parameters) -> Void) throws {
        try folder.makeFile(configuration(change))
        #expect(try folder.notes(configuration(change)) == [EncryptedFolder.needle])
        #expect(
            try errorKind { _ = try folder.notes(configuration { _ in }) }
                == .problem(FileProblem.wrongKey, of: .file(folder.file())))
    }

    @Test(arguments: [1_024, 8_192, 65_536]) func pagesMayHaveAnotherSize(_ size: Int) throws {
        try expectRoundTrip { $0.pageSize = size }
        let connection = try Connection(folder.file(), configuration: configuration { $0.pageSize = size })
        // SQLCipher has it as a text.
        #expect(try connection.query("SELECT CAST(page_size AS INTEGER) FROM pragma_page_size") == size)
        #expect(try folder.filesInClear() == [])
    }

    @Test func iterationsAreThoseOfTheFile() throws {
        try expectRoundTrip { $0.iterations = 11 }
    }

    @Test func filesMayHaveTheFormatOfSQLCipher3() throws {
        try expectRoundTrip { $0.compatibility = .sqlCipher3 }
        #expect(try folder.filesInClear() == [])
    }

    @Test func theHeaderMayBeInClear() throws {
        let salt = (0..<16).map { UInt8($0) }
        try folder.makeFile(configuration { $0.plaintextHeaderSalt = salt })
        #expect(try folder.filesInClear() == ["app.db"])
        #expect(try folder.filesInClear(exceptHeaders: true) == [])
        #expect(try folder.notes(configuration { $0.plaintextHeaderSalt = salt }) == [EncryptedFolder.needle])
        let file = SQLiteError.Subject.file(folder.file())
        let otherSalt = configuration { $0.plaintextHeaderSalt = salt.reversed() }
        #expect(try errorKind { _ = try folder.notes(otherSalt) } == .problem(FileProblem.wrongKey, of: file))
        #expect(try errorKind { _ = try folder.notes(.recommended) } == .problem(FileProblem.encrypted, of: file))
        #expect(
            try errorKind { _ = try folder.notes(configuration { _ in }) } == .problem(FileProblem.wrongKey, of: file))
    }

    @Test(arguments: [
        (\Encryption.Parameters.pageSize, 0, "a page size of 0 bytes"),
        (\.pageSize, 512, "a page size of 512 bytes"), (\.pageSize, 5_000, "a page size of 5000 bytes"),
        (\.pageSize, 131_072, "a page size of 131072 bytes"), (\.iterations, 0, "0 iterations"),
        (\.iterations, .max, "\(Int.max) iterations"),
    ])
    func aParameterThatNoFileHasIsRefused(
        _ parameter: WritableKeyPath<Encryption.Parameters, Int?> & Sendable, _ value: Int, _ text: String
    ) throws {
        let refused = configuration { $0[keyPath: parameter] = value }
        #expect(try errorKind { try folder.makeFile(refused) } == .problem(EncryptionProblem.invalidParameter(text)))
        let salt = configuration { $0.plaintextHeaderSalt = [1, 2] }
        #expect(
            try errorKind { try folder.makeFile(salt) }
                == .problem(EncryptionProblem.invalidParameter("a salt of 2 bytes")))
    }
}
