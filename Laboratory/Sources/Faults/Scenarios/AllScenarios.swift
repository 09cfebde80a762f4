/// The scenarios of the lane, in the order of its table. A new capability adds its scenario here.
let allScenarios: [any Scenario] = [
    TransactionScenario(journalMode: .delete),
    TransactionScenario(journalMode: .wal),
    ValueScenario(),
    RecordScenario(),
    MigrationScenario(),
    BackupScenario(),
    DatabaseScenario(),
    GroupCommitScenario(),
    ObservationScenario(),
    BlobScenario(),
    SessionScenario(),
    UndoScenario(),
    VirtualTableScenario(),
    SearchScenario(),
    CallbackScenario(),
]
