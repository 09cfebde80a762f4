import EncryptedRun
import Testing

/// The reasons why the files of some tests are not encrypted in an ``EncryptedRun``.
package enum PlainFiles: CaseIterable {
    /// The test changes or compares bytes of the file, or its file is not a database.
    case bytes
    /// The test copies between a file and memory: SQLCipher refuses a backup between a database with a key and one without, Squall refuses to
    /// serialize a database with a key, and `VACUUM INTO` from memory writes a file without one.
    case memory
    /// The file is locked when it is opened, or opening runs no statement: the key is proved by a read.
    case opening
    /// The test attaches by SQL, which uses the salt of the main file as well, or looks for the statement in a trace.
    case attaching
    /// The test sets the size of pages, which belongs to the cipher.
    case pageSize
    /// The test has keys, or needs a file without one.
    case keys
}

extension PlainFiles {
    /// The tests, each `Target/File/function`, or `Target/*`.
    package var tests: [String] {
        switch self {
        case .bytes:
            [
                "SquallTests/BackupTests/filesThatAreNoDatabases",
                "SquallTests/ConfigurationTests/aMisspeltSettingOfAFileThatIsNoDatabaseLeavesNoConnection",
                "SquallTests/ConnectionTests/aFileThatIsNoDatabase",
                "SquallTests/ConnectionTests/aFileThatIsNoDatabaseIsNamed",
                "SquallTests/IntegrityTests/aDamagedSchemaThrows",
                "SquallTests/IntegrityTests/damagedPagesAreNamed",
                "SquallTests/SerializeTests/aFileThatIsNoDatabase",
                "SquallTests/SerializeTests/theBytesAreThoseOfAFile",
                "SquallTests/UntrustedFileTests/aFileThatOnlyLaterVersionsMayWriteIsReadOnly",
                "SquallTests/UntrustedFileTests/aNegativeVersionInTheHeaderIsAnError",
                "SquallTests/UntrustedFileTests/aSchemaFormatOfTheFutureIsAnError",
                "SquallTests/UntrustedFileTests/aVersionOfTheFutureInTheHeaderIsAnError",
                "SquallTimedTests/OtherProcessTests/ownCommitsAreCountedAsTheHeaderCountsThem",
            ]
        case .memory:
            [
                "DocumentationTests/ProblemsOfFiles/copies",
                "DocumentationTests/VerbTests+Annexes/recording",
                "DocumentationTests/VerbTests+Connection/upkeep",
                "SquallSearchTests/CJKTokenizerTests/aConnectionWithoutItSaysWhatToCall",
                "SquallSearchTests/SpatialSchemaTests/viewsAndSnapshotsReadTheTree",
                "SquallSearchTests/TokenizerFailureTests/aTableWhoseTokenizerIsMissingSaysSo",
                "SquallTests/BackupSequenceTests/aSourceInMemoryClosedMeanwhileIsAnError",
                "SquallTests/BackupSequenceTests/aSourceInMemoryIsUsedBetweenTheSteps",
                "SquallTests/BackupSequenceTests/onAnActor",
                "SquallTests/BackupTests/aDestinationThatIsTheSourceOfAnother",
                "SquallTests/BackupTests/aSourceInMemoryChangesToo",
                "SquallTests/BackupTests/anOpenTransactionInMemoryIsAnErrorAtOnce",
                "SquallTests/BackupTests/fromMemoryAndBack",
                "SquallTests/BackupTests/temporaryTablesToo",
                "SquallTests/DatabaseBackupTests/aDatabaseInMemoryIsNotCopiedInsideATransaction",
                "SquallTests/DatabaseBackupTests/theProgressIsASequence",
                "SquallTests/HookLifetimeTests/aConnectionThatIsClosedAsADestinationLetsGoOfItsHooks",
                "SquallTests/HookLifetimeTests/aDeadlineAroundABackupLeavesTheBusyTimeout",
                "SquallTests/HookLifetimeTests/whatIsAddedAfterABackupIsCalled",
                "SquallTests/RememberedSchemaTests/a backup that replaces the database is noticed",
                "SquallTests/RememberedSchemaTests/bytes that replace the database are noticed",
                "SquallTests/SerializeTests/aBackupOfWhatWasDeserialized",
                "SquallTests/SerializeTests/aDatabaseInWALModeMakesTheRoundTrip",
                "SquallTests/SerializeTests/anEmptyFile",
                "SquallTimedTests/BackupProgressTests/aFailureCancelsIt",
                "SquallTimedTests/BackupQueueTests/aSourceInMemoryIsCopiedAsItIsWhenTheBackupBegins",
                "SquallTimedTests/BackupWaitTests/aTransactionInMemoryIsWaitedFor",
                "SquallTimedTests/StaleInterruptTests/doesNotReachTheClosureAfterACancelledWrite",
                "SquallTimedTests/StaleInterruptTests/doesNotReachTheNextActionOfAConnection",
                "SquallTimedTests/StaleInterruptTests/doesNotReachTheNextClosureOfADatabase",
                "SquallTimedTests/VacuumThreadTests/aCopyIsWrittenBesideAWrite",
            ]
        case .opening:
            [
                "SquallTests/ConfigurationTests/sqliteChangesNothing",
                "SquallTests/RememberedSchemaTests/the second call does not read the file",
                "SquallTests/RequireSituationTests/a locked file is an error after the connection's timeout",
                "SquallTimedTests/MigrationProcessTests/severalProcessesDoItOnce",
                "SquallTimedTests/MigrationProcessTests/threeThreadsDoItOnce",
                "SquallTimedTests/ReadSnapshotTests/theDeadlineEndsTheWaitForALock",
            ]
        case .attaching:
            [
                "DocumentationTests/VerbTests+Connection/waitingAndEnding",
                "SquallTimedTests/HeldReadsTests/noneIsKeptAfterAStatementHasAttachedADatabase",
                "SquallTimedTests/HeldReadsTests/noneIsKeptWithAnAttachedDatabase",
            ]
        case .pageSize:
            [
                "SquallTests/BackupTests/pagesOfAnotherSize",
                "SquallTests/BackupTests/pagesOfAnotherSizeInWALModeAreAnErrorThatSaysWhy",
            ]
        case .keys:
            [
                "DocumentationTests/EncryptedFiles/keys",
                "DocumentationTests/EncryptedFiles/otherFiles",
                "DocumentationTests/ProblemsOfEncryption/keys",
                "DocumentationTests/ProblemsOfFiles/randomPages",
                "SquallEncryptionTests/*",
            ]
        }
    }

    /// Whether the run is an ``EncryptedRun``: for a test that uses plain files in a process that it starts.
    package static let areListed = EncryptedRun.isOn

    private static let all = Set(allCases.flatMap(\.tests))

    /// Whether the running test is listed.
    static var isTest: Bool {
        guard EncryptedRun.isOn, let test = Test.current else { return false }
        let file = test.sourceLocation.fileID.replacing(".swift", with: "/")
        let target = file.prefix { $0 != "/" }
        return all.contains(file + test.name.prefix { $0 != "(" }.filter { $0 != "`" }) || all.contains("\(target)/*")
    }
}
