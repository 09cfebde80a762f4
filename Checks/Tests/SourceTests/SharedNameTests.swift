import Testing

/// A public type with a name of SwiftUI, SwiftData, Combine or Foundation is ambiguous in a file that imports both. The page
/// "Beside SwiftUI and SwiftData" has the line that cures it.
struct SharedNameTests {
    /// Public types of these frameworks at the top level, as of the systems of 2025.
    private static let names = Set(
        """
        AccessibilityActionKind Alert Alignment Anchor Angle AngularGradient AnimatablePair Animation AnyLayout AnyShape AnyView App
        AppStorage AsyncImage Axis Bindable Binding BlendMode BlurStyle Button ButtonRole Canvas Capsule Circle Color ColorPicker
        ColorScheme CommandGroup CommandMenu Commands ContainerRelativeShape ContentMode ContentShapeKinds ControlGroup ControlSize
        CoordinateSpace DatePicker DisclosureGroup DismissAction Divider DragGesture Edge EdgeInsets EditMode Ellipse
        EllipticalGradient EmptyView Environment EnvironmentKey EnvironmentObject EnvironmentValues EventModifiers FetchRequest
        FetchedResults FileDocument FillStyle FocusState FocusedBinding FocusedValue Font ForEach Form Gauge GeometryEffect
        GeometryProxy GeometryReader Gesture GestureState Gradient GraphicsContext Grid GridItem GridRow Group GroupBox HStack
        HorizontalAlignment Image ImageRenderer InsettableShape ItemProvider KeyEquivalent KeyPress KeyboardShortcut Label
        LabeledContent Layout LayoutDirection LayoutProperties LazyHGrid LazyHStack LazyVGrid LazyVStack LinearGradient Link List
        LocalizedStringKey LongPressGesture MagnifyGesture Material Menu MeshGradient Model Namespace NavigationLink NavigationPath
        NavigationSplitView NavigationStack NavigationView Notification OpenURLAction OutlineGroup PasteButton Path
        PersistentModel Picker PinnedScrollableViews PlainButtonStyle PopUpButton PreferenceKey PresentationDetent PreviewProvider
        PrimitiveButtonStyle ProgressView ProjectionTransform Prominence ProposedViewSize RadialGradient Rectangle RefreshAction
        RenameAction RenameButton RotateGesture RoundedRectangle SafeAreaRegions ScaledMetric Scene ScenePhase SceneStorage
        ScrollView ScrollViewProxy ScrollViewReader SearchFieldPlacement SectionedFetchRequest SectionedFetchResults Section
        SecureField Settings Shader Shape ShapeStyle ShareLink Slider Spacer SpatialTapGesture State StateObject Stepper
        StrokeStyle SubmitTriggers Subview SwitchToggleStyle Symbol TabView Tab Table TableColumn TableColumnBuilder TableRow
        TableRowBuilder TableStyle TapGesture Text TextAlignment TextEditor TextField TextSelection TimelineView Toggle
        ToolbarItem ToolbarItemGroup Transaction Transition UnitCurve UnitPoint VStack VerticalAlignment View ViewBuilder
        ViewModifier ViewThatFits Visibility Window WindowGroup Widget ZStack
        Attribute DataStore DefaultStore DeleteRule FetchDescriptor FetchResultsCollection History HistoryDescriptor Index
        MigrationStage ModelActor ModelConfiguration ModelContainer ModelContext PersistentIdentifier Query Relationship Schema
        SchemaMigrationPlan Snapshot Unique VersionedSchema
        AnyCancellable AnyPublisher AnySubscriber Cancellable ConnectablePublisher CurrentValueSubject Deferred Empty Fail Future
        Just ObservableObject Observers PassthroughSubject Published Publisher Publishers Record Result Scheduler Subject
        Subscriber Subscribers Subscription
        Observable ObservationRegistrar Observations
        Bundle Calendar CharacterSet Data Date DateComponents DateInterval Decimal Dimension Encoder Expression FileHandle
        FileManager Formatter Host IndexPath IndexSet Locale Lock Measurement Morphology Operation OperationQueue Pipe Port
        Predicate Process ProcessInfo Progress Scanner SortComparator SortDescriptor SortOrder Stream Thread TimeZone Timer URL
        URLRequest URLSession UUID UndoManager Unit UserDefaults
        Column DataFrame
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    @Test func thePageListsTheSharedNames() throws {
        let page = try Repository.file("Sources/Squall/Squall.docc/Guides/BesideSwiftUI.md")
        let listed = Set(page.text.matches(of: /\n\| `(\w+)` \|/).map { String($0.1) })
        var shared: Set<String> = []
        for module in ["Squall"] + ArchitectureTests.annexes.map(\.key) {
            let lines = try Repository.file("API/\(module).txt").lines
            shared.formUnion(lines.map { String($0.prefix { $0.isLetter || $0.isNumber }) }.filter(Self.names.contains))
        }
        // Extensions of the types of others.
        shared.subtract(["Data", "Date", "Decimal", "URL", "UUID", "UndoManager"])
        #expect(listed == shared)
    }
}
