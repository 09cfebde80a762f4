// The initialiser of `Table` for up to twelve columns, without a parameter pack: a pack is read in a loop that looks up the
// type of each value and copies it (1.35× C for ten integers, against 1.16×). The compiler prefers these where they fit.

extension Table {
    /// A table of 2 columns.
    @inlinable
    public init<B>(
        _ name: String, _ make: @escaping @Sendable (Key, B) throws -> Record, _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { cursor in
                    try make(try cursor.next(Key.self), try cursor.next(B.self))
                },
                build: { values in
                    var samples = SampleReader(values)
                    return try make(try samples.next(Key.self), try samples.next(B.self))
                }
            )
        )
    }

    /// A table of 3 columns.
    @inlinable
    public init<B, C>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C) throws -> Record, _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { cursor in
                    try make(try cursor.next(Key.self), try cursor.next(B.self), try cursor.next(C.self))
                },
                build: { values in
                    var samples = SampleReader(values)
                    return try make(try samples.next(Key.self), try samples.next(B.self), try samples.next(C.self))
                }
            )
        )
    }

    /// A table of 4 columns.
    @inlinable
    public init<B, C, D>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D) throws -> Record, _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D) {
        self.init(
            core: TableCore(
                name, columns: columns().columns, options: options,
                make: { cursor in
                    try make(
                        try cursor.next(Key.self), try cursor.next(B.self), try cursor.next(C.self),
                        try cursor.next(D.self))
                },
                build: { values in
                    var samples = SampleReader(values)
                    return try make(
                        try samples.next(Key.self), try samples.next(B.self), try samples.next(C.self),
                        try samples.next(D.self))
                }
            )
        )
    }

    /// A table of 5 columns.
    @inlinable
    public init<B, C, D, E>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E) throws -> Record, _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E) {
        self.init(
            core: TableCore(
                name,
                columns: columns().columns, options: options,
                make: { cursor in
                    try make(
                        try cursor.next(Key.self), try cursor.next(B.self), try cursor.next(C.self),
                        try cursor.next(D.self), try cursor.next(E.self))
                },
                build: { values in
                    var samples = SampleReader(values)
                    return try make(
                        try samples.next(Key.self), try samples.next(B.self), try samples.next(C.self),
                        try samples.next(D.self), try samples.next(E.self))
                }
            )
        )
    }

    /// A table of 6 columns.
    @inlinable
    public init<B, C, D, E, F>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F) throws -> Record, _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F) {
        self.init(
            core: TableCore(
                name,
                columns: columns().columns, options: options,
                make: { cursor in
                    try make(
                        try cursor.next(Key.self), try cursor.next(B.self), try cursor.next(C.self),
                        try cursor.next(D.self), try cursor.next(E.self), try cursor.next(F.self))
                },
                build: { values in
                    var samples = SampleReader(values)
                    return try make(
                        try samples.next(Key.self), try samples.next(B.self), try samples.next(C.self),
                        try samples.next(D.self), try samples.next(E.self), try samples.next(F.self))
                }
            )
        )
    }

    /// A table of 7 columns.
    @inlinable
    public init<B, C, D, E, F, G>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F, G) throws -> Record, _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F, G) {
        self.init(
            core: TableCore(
                name,
                columns: columns().columns, options: options,
                make: { cursor in
                    try make(
                        try cursor.next(Key.self), try cursor.next(B.self), try cursor.next(C.self),
                        try cursor.next(D.self), try cursor.next(E.self), try cursor.next(F.self),
                        try cursor.next(G.self))
                },
                build: { values in
                    var samples = SampleReader(values)
                    return try make(
                        try samples.next(Key.self), try samples.next(B.self), try samples.next(C.self),
                        try samples.next(D.self), try samples.next(E.self), try samples.next(F.self),
                        try samples.next(G.self))
                }
            )
        )
    }

    /// A table of 8 columns.
    @inlinable
    public init<B, C, D, E, F, G, H>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F, G, H) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F, G, H) {
        self.init(
            core: TableCore(
                name,
                columns: columns().columns, options: options,
                make: { cursor in
                    try make(
                        try cursor.next(Key.self), try cursor.next(B.self), try cursor.next(C.self),
                        try cursor.next(D.self), try cursor.next(E.self), try cursor.next(F.self),
                        try cursor.next(G.self), try cursor.next(H.self))
                },
                build: { values in
                    var samples = SampleReader(values)
                    return try make(
                        try samples.next(Key.self), try samples.next(B.self), try samples.next(C.self),
                        try samples.next(D.self), try samples.next(E.self), try samples.next(F.self),
                        try samples.next(G.self), try samples.next(H.self))
                }
            )
        )
    }

    /// A table of 9 columns.
    @inlinable
    public init<B, C, D, E, F, G, H, I>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F, G, H, I) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H, I> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F, G, H, I) {
        self.init(
            core: TableCore(
                name,
                columns: columns().columns, options: options,
                make: { cursor in
                    try make(
                        try cursor.next(Key.self), try cursor.next(B.self), try cursor.next(C.self),
                        try cursor.next(D.self), try cursor.next(E.self), try cursor.next(F.self),
                        try cursor.next(G.self), try cursor.next(H.self), try cursor.next(I.self))
                },
                build: { values in
                    var samples = SampleReader(values)
                    return try make(
                        try samples.next(Key.self), try samples.next(B.self), try samples.next(C.self),
                        try samples.next(D.self), try samples.next(E.self), try samples.next(F.self),
                        try samples.next(G.self), try samples.next(H.self), try samples.next(I.self))
                }
            )
        )
    }

    /// A table of 10 columns.
    @inlinable
    public init<B, C, D, E, F, G, H, I, J>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F, G, H, I, J) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H, I, J> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F, G, H, I, J) {
        self.init(
            core: TableCore(
                name,
                columns: columns().columns, options: options,
                make: { cursor in
                    try make(
                        try cursor.next(Key.self), try cursor.next(B.self), try cursor.next(C.self),
                        try cursor.next(D.self), try cursor.next(E.self), try cursor.next(F.self),
                        try cursor.next(G.self), try cursor.next(H.self), try cursor.next(I.self),
                        try cursor.next(J.self))
                },
                build: { values in
                    var samples = SampleReader(values)
                    return try make(
                        try samples.next(Key.self), try samples.next(B.self), try samples.next(C.self),
                        try samples.next(D.self), try samples.next(E.self), try samples.next(F.self),
                        try samples.next(G.self), try samples.next(H.self), try samples.next(I.self),
                        try samples.next(J.self))
                }
            )
        )
    }

    /// A table of 11 columns.
    @inlinable
    public init<B, C, D, E, F, G, H, I, J, K>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F, G, H, I, J, K) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H, I, J, K> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F, G, H, I, J, K) {
        self.init(
            core: TableCore(
                name,
                columns: columns().columns, options: options,
                make: { cursor in
                    try make(
                        try cursor.next(Key.self), try cursor.next(B.self), try cursor.next(C.self),
                        try cursor.next(D.self), try cursor.next(E.self), try cursor.next(F.self),
                        try cursor.next(G.self), try cursor.next(H.self), try cursor.next(I.self),
                        try cursor.next(J.self), try cursor.next(K.self))
                },
                build: { values in
                    var samples = SampleReader(values)
                    return try make(
                        try samples.next(Key.self), try samples.next(B.self), try samples.next(C.self),
                        try samples.next(D.self), try samples.next(E.self), try samples.next(F.self),
                        try samples.next(G.self), try samples.next(H.self), try samples.next(I.self),
                        try samples.next(J.self), try samples.next(K.self))
                }
            )
        )
    }

    /// A table of 12 columns.
    @inlinable
    public init<B, C, D, E, F, G, H, I, J, K, L>(
        _ name: String, _ make: @escaping @Sendable (Key, B, C, D, E, F, G, H, I, J, K, L) throws -> Record,
        _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H, I, J, K, L> columns: () -> ColumnsToCome<Record>
    ) where Values == (Key, B, C, D, E, F, G, H, I, J, K, L) {
        self.init(
            core: TableCore(
                name,
                columns: columns().columns, options: options,
                make: { cursor in
                    try make(
                        try cursor.next(Key.self), try cursor.next(B.self), try cursor.next(C.self),
                        try cursor.next(D.self), try cursor.next(E.self), try cursor.next(F.self),
                        try cursor.next(G.self), try cursor.next(H.self), try cursor.next(I.self),
                        try cursor.next(J.self), try cursor.next(K.self), try cursor.next(L.self))
                },
                build: { values in
                    var samples = SampleReader(values)
                    return try make(
                        try samples.next(Key.self), try samples.next(B.self), try samples.next(C.self),
                        try samples.next(D.self), try samples.next(E.self), try samples.next(F.self),
                        try samples.next(G.self), try samples.next(H.self), try samples.next(I.self),
                        try samples.next(J.self), try samples.next(K.self), try samples.next(L.self))
                }
            )
        )
    }
}
