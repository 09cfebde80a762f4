// The initialiser of `Table` for up to twelve columns, without a parameter pack: a pack is read in a loop that looks up the
// type of each value and copies it (1.35× C for ten integers, against 1.16×). The compiler prefers these where they fit.

extension Table {
    @_documentation(visibility: internal)
    @inlinable
    public init<B>(
        _ name: String, _ make: @escaping @Sendable (Key, B) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { reader in
                    try make(
                        try reader.next(Key.self), try reader.next(B.self))
                },
                build: buildingFromSamples(make)
            )
        )
    }

    @_documentation(visibility: internal)
    @inlinable
    public init<B, C>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { reader in
                    try make(
                        try reader.next(Key.self), try reader.next(B.self), try reader.next(C.self))
                },
                build: buildingFromSamples(make)
            )
        )
    }

    @_documentation(visibility: internal)
    @inlinable
    public init<B, C, D>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { reader in
                    try make(
                        try reader.next(Key.self), try reader.next(B.self), try reader.next(C.self),
                        try reader.next(D.self))
                },
                build: buildingFromSamples(make)
            )
        )
    }

    @_documentation(visibility: internal)
    @inlinable
    public init<B, C, D, E>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { reader in
                    try make(
                        try reader.next(Key.self), try reader.next(B.self), try reader.next(C.self),
                        try reader.next(D.self), try reader.next(E.self))
                },
                build: buildingFromSamples(make)
            )
        )
    }

    @_documentation(visibility: internal)
    @inlinable
    public init<B, C, D, E, F>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { reader in
                    try make(
                        try reader.next(Key.self), try reader.next(B.self), try reader.next(C.self),
                        try reader.next(D.self), try reader.next(E.self), try reader.next(F.self))
                },
                build: buildingFromSamples(make)
            )
        )
    }

    @_documentation(visibility: internal)
    @inlinable
    public init<B, C, D, E, F, G>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F, G) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F, G) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { reader in
                    try make(
                        try reader.next(Key.self), try reader.next(B.self), try reader.next(C.self),
                        try reader.next(D.self), try reader.next(E.self), try reader.next(F.self),
                        try reader.next(G.self))
                },
                build: buildingFromSamples(make)
            )
        )
    }

    @_documentation(visibility: internal)
    @inlinable
    public init<B, C, D, E, F, G, H>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F, G, H) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F, G, H) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { reader in
                    try make(
                        try reader.next(Key.self), try reader.next(B.self), try reader.next(C.self),
                        try reader.next(D.self), try reader.next(E.self), try reader.next(F.self),
                        try reader.next(G.self), try reader.next(H.self))
                },
                build: buildingFromSamples(make)
            )
        )
    }

    @_documentation(visibility: internal)
    @inlinable
    public init<B, C, D, E, F, G, H, I>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F, G, H, I) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H, I> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F, G, H, I) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { reader in
                    try make(
                        try reader.next(Key.self), try reader.next(B.self), try reader.next(C.self),
                        try reader.next(D.self), try reader.next(E.self), try reader.next(F.self),
                        try reader.next(G.self), try reader.next(H.self), try reader.next(I.self))
                },
                build: buildingFromSamples(make)
            )
        )
    }

    @_documentation(visibility: internal)
    @inlinable
    public init<B, C, D, E, F, G, H, I, J>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F, G, H, I, J) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H, I, J> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F, G, H, I, J) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { reader in
                    try make(
                        try reader.next(Key.self), try reader.next(B.self), try reader.next(C.self),
                        try reader.next(D.self), try reader.next(E.self), try reader.next(F.self),
                        try reader.next(G.self), try reader.next(H.self), try reader.next(I.self),
                        try reader.next(J.self))
                },
                build: buildingFromSamples(make)
            )
        )
    }

    @_documentation(visibility: internal)
    @inlinable
    public init<B, C, D, E, F, G, H, I, J, K>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F, G, H, I, J, K) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H, I, J, K> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F, G, H, I, J, K) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { reader in
                    try make(
                        try reader.next(Key.self), try reader.next(B.self), try reader.next(C.self),
                        try reader.next(D.self), try reader.next(E.self), try reader.next(F.self),
                        try reader.next(G.self), try reader.next(H.self), try reader.next(I.self),
                        try reader.next(J.self), try reader.next(K.self))
                },
                build: buildingFromSamples(make)
            )
        )
    }

    @_documentation(visibility: internal)
    @inlinable
    public init<B, C, D, E, F, G, H, I, J, K, L>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F, G, H, I, J, K, L) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H, I, J, K, L> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F, G, H, I, J, K, L) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { reader in
                    try make(
                        try reader.next(Key.self), try reader.next(B.self), try reader.next(C.self),
                        try reader.next(D.self), try reader.next(E.self), try reader.next(F.self),
                        try reader.next(G.self), try reader.next(H.self), try reader.next(I.self),
                        try reader.next(J.self), try reader.next(K.self), try reader.next(L.self))
                },
                build: buildingFromSamples(make)
            )
        )
    }
}
