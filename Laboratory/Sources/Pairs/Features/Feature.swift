/// A feature of the library, which meets each other one on one database.
///
/// To add one, write its parts into a file, and name them here.
enum Feature: String, CaseIterable, Sendable {
    case rows, strict, withoutRowID, untypedKey, textKey, inexactKey, compositeKey, uuidKey, autoincrement, unixTime
    case lateColumn, virtualColumn, storedColumn, partialIndex, functionIndex, collation
    case cascade, setNull, deferred
    case searchExternal, searchOwn, searchConditional, searchCJK, searchTrigram, searchPorter, spatial, counting, audit
    case undo, recording, sync, peers
    case rebuild, rename, filling, addition
    case observation, differences, snapshot
    case backup, vacuumInto, serialize, vacuum, blobs
    case rollbackJournal, memory, groupCommit
    case temporaryTrigger, view, attached
    case savepoint, returning, lists, paging, store, observers
    case histories, patchset, stream, rebase
    case schema, otherObserver, queue, squeal, prepared, sqlFiles, sqift, storage
    case outsider, otherDatabase, deadline, suspension
    case relations, programTables
    case restrict, noAction, setDefault, updateCascade
    case searchContentless, searchASCII, searchPrefixes, searchConditionalOwn
    case touch, olderTouch, vectors
    case heldRead, withoutHeldReads, changeStream, interceptor
    case readOnly, untrusted
    case arrays, unixMilliseconds, julianDay, json
    case temporaryTables, tree, typedQueries, triggerOrder
    case restore, deserialize
    case uniqueParent
    case network, subsets, alteration, divergence
    case searchSeveral, spatialInteger

    /// Makes the parts for one run.
    ///
    /// - Parameter suffix: A letter for the names of their objects: a feature also meets itself.
    func parts(_ suffix: String) -> any FeatureParts {
        switch self {
        case .rows: TableForm()
        case .strict: TableForm.strict()
        case .withoutRowID: TableForm.withoutRowID()
        case .untypedKey: TableForm.untypedKey()
        case .textKey: TableForm.key(.text)
        case .inexactKey: TableForm.inexactKey()
        case .compositeKey: TableForm.key(.composite)
        case .uuidKey: TableForm.key(.uuid)
        case .autoincrement: TableForm.autoincrement()
        case .unixTime: TableForm.dates(.unixTime)
        case .lateColumn: TableForm.lateColumn(suffix)
        case .virtualColumn: TableForm.virtualColumn(suffix)
        case .storedColumn: TableForm.storedColumn(suffix)
        case .partialIndex: TableForm.partialIndex(suffix)
        case .functionIndex: TableForm.function(suffix)
        case .collation: TableForm.collation(suffix)
        case .cascade: TableForm.reference(.cascade)
        case .setNull: TableForm.reference(.setNull)
        case .deferred: TableForm.reference(.deferred)
        case .searchExternal: SearchFeature(suffix)
        case .searchOwn: SearchFeature(suffix, content: .own)
        case .searchConditional: SearchFeature(suffix, isConditional: true)
        case .searchCJK: SearchFeature(suffix, tokenizer: .cjk)
        case .searchTrigram: SearchFeature(suffix, tokenizer: .trigram)
        case .searchPorter: SearchFeature(suffix, tokenizer: .porter())
        case .spatial: SpatialFeature(suffix)
        case .counting: TriggerFeature(suffix, audits: false)
        case .audit: TriggerFeature(suffix, audits: true)
        case .undo: UndoFeature(suffix)
        case .recording: RecordedChanges(suffix)
        case .sync: SyncFeature(suffix)
        case .peers: SyncFeature(suffix, peers: true)
        case .rebuild: MigrationFeature(.rebuild, suffix)
        case .rename: MigrationFeature(.rename, suffix)
        case .filling: MigrationFeature(.filling, suffix)
        case .addition: MigrationFeature(.addition, suffix)
        case .observation: ObservationFeature(suffix, differences: false)
        case .differences: ObservationFeature(suffix, differences: true)
        case .snapshot: SnapshotFeature()
        case .backup: CopyFeature(.backup, suffix)
        case .vacuumInto: CopyFeature(.vacuumInto, suffix)
        case .serialize: CopyFeature(.serialize, suffix)
        case .vacuum: CopyFeature(.vacuum, suffix)
        case .blobs: BlobFeature(suffix)
        case .rollbackJournal: TableForm.rollbackJournal()
        case .memory: TableForm.memory()
        case .groupCommit: TableForm.groupCommit()
        case .temporaryTrigger: TemporaryTrigger(suffix)
        case .view: ViewFeature(suffix)
        case .attached: AttachedFile(suffix)
        case .savepoint: SavepointFeature()
        case .returning: ReturningFeature()
        case .lists: ListFeature()
        case .paging: PagingFeature()
        case .store: StoreFeature()
        case .observers: ObserversFeature()
        case .histories: HistoriesFeature(suffix)
        case .patchset: RecordedChanges(suffix, .patchset)
        case .stream: RecordedChanges(suffix, .stream)
        case .rebase: RebaseFeature(suffix)
        case .schema: SchemaFeature(suffix)
        case .otherObserver: ObservationFeature(suffix, differences: false, inOther: true)
        case .queue: QueueFeature()
        case .squeal: SquealFeature(suffix)
        case .prepared: PreparedFeature(suffix)
        case .sqlFiles: SQLFileFeature()
        case .sqift: SQiftFeature(suffix)
        case .storage: StorageFeature(suffix)
        case .otherDatabase: OtherDatabase()
        case .outsider: OutsiderFeature()
        case .deadline: DeadlineFeature()
        case .suspension: SuspensionFeature()
        case .relations: RelationFeature()
        case .programTables: ProgramTables(suffix)
        case .restrict: ReferenceFeature(.restrict)
        case .noAction: ReferenceFeature(.noAction)
        case .setDefault: ReferenceFeature(.setDefault)
        case .updateCascade: ReferenceFeature(.updateCascade)
        case .searchContentless: SearchFeature(suffix, content: .none)
        case .searchASCII: SearchFeature(suffix, tokenizer: .ascii)
        case .searchPrefixes: SearchFeature(suffix, hasPrefixes: true)
        case .searchConditionalOwn: SearchFeature(suffix, content: .own, isConditional: true)
        case .touch: TouchFeature(suffix)
        case .olderTouch: TouchFeature(suffix, isOlder: true)
        case .vectors: VectorFeature(suffix)
        case .heldRead: HeldReadFeature()
        case .withoutHeldReads: TableForm.withoutHeldReads()
        case .changeStream: ChangeStream()
        case .interceptor: InterceptorFeature()
        case .readOnly: ReadOnlyDatabase()
        case .untrusted: UntrustedCopy(suffix)
        case .arrays: ArrayFeature(suffix)
        case .unixMilliseconds: TableForm.dates(.unixMilliseconds)
        case .julianDay: TableForm.dates(.julianDay)
        case .json: TableForm.json()
        case .temporaryTables: TemporaryTables()
        case .tree: TreeFeature(suffix)
        case .typedQueries: TypedQueryFeature(suffix)
        case .triggerOrder: TriggerOrder(suffix)
        case .restore: ReplacedContent(suffix)
        case .deserialize: ReplacedContent(suffix, inMemory: true)
        case .uniqueParent: UniqueParent(suffix)
        case .network: NetworkFeature(suffix)
        case .divergence: DivergedCopy(suffix)
        case .alteration: AlterationFeature(suffix)
        case .subsets: SubsetHistories(suffix)
        case .searchSeveral: SearchFeature.several(suffix)
        case .spatialInteger: SpatialFeature.integer(suffix)
        }
    }
}
