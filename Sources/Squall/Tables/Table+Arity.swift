// The initialiser of `Table` for up to twelve columns, without a parameter pack: a pack is read in a loop that looks up the
// type of each value and copies it (1.35× C for ten integers, against 1.16×). The compiler prefers these where they fit.

extension Table {
    /// A table of 2 columns.
    @inlinable
    public init<B>(
        _ name: String, _ make: @escaping @Sendable (Key, B) throws -> Record, _ options: TableOption...,
        @OrderedColumnsBuilder<Record, Key, B> columns: () -> (Column<Record, Key>, Column<Record, B>)
    ) where Values == (Key, B) {
        let list = columns()
        self.init(
            core: TableCore(
                name, columns: [TableColumn(list.0), TableColumn(list.1)], options: options,
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
        @OrderedColumnsBuilder<Record, Key, B, C> columns: () -> (
            Column<Record, Key>, Column<Record, B>, Column<Record, C>
        )
    ) where Values == (Key, B, C) {
        let list = columns()
        self.init(
            core: TableCore(
                name, columns: [TableColumn(list.0), TableColumn(list.1), TableColumn(list.2)], options: options,
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
        @OrderedColumnsBuilder<Record, Key, B, C, D> columns: () -> (
            Column<Record, Key>, Column<Record, B>, Column<Record, C>, Column<Record, D>
        )
    ) where Values == (Key, B, C, D) {
        let list = columns()
        self.init(
            core: TableCore(
                name, columns: [TableColumn(list.0), TableColumn(list.1), TableColumn(list.2), TableColumn(list.3)],
                options: options,
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
        @OrderedColumnsBuilder<Record, Key, B, C, D, E> columns: () -> (
            Column<Record, Key>, Column<Record, B>, Column<Record, C>, Column<Record, D>, Column<Record, E>
        )
    ) where Values == (Key, B, C, D, E) {
        let list = columns()
        self.init(
            core: TableCore(
                name,
                columns: [
                    TableColumn(list.0), TableColumn(list.1), TableColumn(list.2), TableColumn(list.3),
                    TableColumn(list.4),
                ], options: options,
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
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F> columns: () -> (
            Column<Record, Key>, Column<Record, B>, Column<Record, C>, Column<Record, D>, Column<Record, E>,
            Column<Record, F>
        )
    ) where Values == (Key, B, C, D, E, F) {
        let list = columns()
        self.init(
            core: TableCore(
                name,
                columns: [
                    TableColumn(list.0), TableColumn(list.1), TableColumn(list.2), TableColumn(list.3),
                    TableColumn(list.4), TableColumn(list.5),
                ], options: options,
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
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G> columns: () -> (
            Column<Record, Key>, Column<Record, B>, Column<Record, C>, Column<Record, D>, Column<Record, E>,
            Column<Record, F>, Column<Record, G>
        )
    ) where Values == (Key, B, C, D, E, F, G) {
        let list = columns()
        self.init(
            core: TableCore(
                name,
                columns: [
                    TableColumn(list.0), TableColumn(list.1), TableColumn(list.2), TableColumn(list.3),
                    TableColumn(list.4), TableColumn(list.5), TableColumn(list.6),
                ], options: options,
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
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H> columns: () -> (
            Column<Record, Key>, Column<Record, B>, Column<Record, C>, Column<Record, D>, Column<Record, E>,
            Column<Record, F>, Column<Record, G>, Column<Record, H>
        )
    ) where Values == (Key, B, C, D, E, F, G, H) {
        let list = columns()
        self.init(
            core: TableCore(
                name,
                columns: [
                    TableColumn(list.0), TableColumn(list.1), TableColumn(list.2), TableColumn(list.3),
                    TableColumn(list.4), TableColumn(list.5), TableColumn(list.6), TableColumn(list.7),
                ], options: options,
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
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H, I> columns: () -> (
            Column<Record, Key>, Column<Record, B>, Column<Record, C>, Column<Record, D>, Column<Record, E>,
            Column<Record, F>, Column<Record, G>, Column<Record, H>, Column<Record, I>
        )
    ) where Values == (Key, B, C, D, E, F, G, H, I) {
        let list = columns()
        self.init(
            core: TableCore(
                name,
                columns: [
                    TableColumn(list.0), TableColumn(list.1), TableColumn(list.2), TableColumn(list.3),
                    TableColumn(list.4), TableColumn(list.5), TableColumn(list.6), TableColumn(list.7),
                    TableColumn(list.8),
                ], options: options,
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
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H, I, J> columns: () -> (
            Column<Record, Key>, Column<Record, B>, Column<Record, C>, Column<Record, D>, Column<Record, E>,
            Column<Record, F>, Column<Record, G>, Column<Record, H>, Column<Record, I>, Column<Record, J>
        )
    ) where Values == (Key, B, C, D, E, F, G, H, I, J) {
        let list = columns()
        self.init(
            core: TableCore(
                name,
                columns: [
                    TableColumn(list.0), TableColumn(list.1), TableColumn(list.2), TableColumn(list.3),
                    TableColumn(list.4), TableColumn(list.5), TableColumn(list.6), TableColumn(list.7),
                    TableColumn(list.8), TableColumn(list.9),
                ], options: options,
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
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H, I, J, K> columns: () -> (
            Column<Record, Key>, Column<Record, B>, Column<Record, C>, Column<Record, D>, Column<Record, E>,
            Column<Record, F>, Column<Record, G>, Column<Record, H>, Column<Record, I>, Column<Record, J>,
            Column<Record, K>
        )
    ) where Values == (Key, B, C, D, E, F, G, H, I, J, K) {
        let list = columns()
        self.init(
            core: TableCore(
                name,
                columns: [
                    TableColumn(list.0), TableColumn(list.1), TableColumn(list.2), TableColumn(list.3),
                    TableColumn(list.4), TableColumn(list.5), TableColumn(list.6), TableColumn(list.7),
                    TableColumn(list.8), TableColumn(list.9), TableColumn(list.10),
                ], options: options,
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
        @OrderedColumnsBuilder<Record, Key, B, C, D, E, F, G, H, I, J, K, L> columns: () -> (
            Column<Record, Key>, Column<Record, B>, Column<Record, C>, Column<Record, D>, Column<Record, E>,
            Column<Record, F>, Column<Record, G>, Column<Record, H>, Column<Record, I>, Column<Record, J>,
            Column<Record, K>, Column<Record, L>
        )
    ) where Values == (Key, B, C, D, E, F, G, H, I, J, K, L) {
        let list = columns()
        self.init(
            core: TableCore(
                name,
                columns: [
                    TableColumn(list.0), TableColumn(list.1), TableColumn(list.2), TableColumn(list.3),
                    TableColumn(list.4), TableColumn(list.5), TableColumn(list.6), TableColumn(list.7),
                    TableColumn(list.8), TableColumn(list.9), TableColumn(list.10), TableColumn(list.11),
                ], options: options,
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
