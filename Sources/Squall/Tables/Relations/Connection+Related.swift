extension Connection {
    /// Returns the records that are related to a record: `SELECT … FROM "posts" WHERE "posts"."author" = ?`.
    ///
    ///     let posts = try connection.all(User.posts, of: user)
    ///     let good = try connection.all(User.posts, of: user) { $0.score > 3 }
    ///     let best = try connection.all(User.posts.order { $0.score.descending }, of: user)
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    // The condition also makes the compiler report an error in the closure of another `all` there: a trailing closure cannot be the
    // record.
    public func all<Source: TableRecord, Target: TableRecord>(
        _ relation: Relation<Source, [Target]>, of source: Source,
        where condition: (@Sendable (Columns<Target>) -> Condition)? = nil
    ) throws -> [Target] {
        let relation = condition.map { relation.where($0) } ?? relation
        return try relation.load(self, [source], nil).first ?? []
    }

    /// Returns the record that a record refers to, or `nil`: `SELECT … FROM "users" WHERE "users"."id" = ?`.
    ///
    ///     let author = try connection.first(Post.author, of: post)
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit the record.
    public func first<Source: TableRecord, Target: TableRecord>(
        _ relation: Relation<Source, Target?>, of source: Source,
        where condition: (@Sendable (Columns<Target>) -> Condition)? = nil
    ) throws -> Target? {
        let relation = condition.map { relation.where($0) } ?? relation
        return try relation.load(self, [source], nil).first ?? nil
    }
}

// MARK: - Records with their related records

extension Connection {
    /// Returns all records of a table, each with the records of a relation.
    ///
    ///     let users = try connection.all(User.self, including: User.posts)
    ///     // [(User, [Post])]
    ///
    /// Runs one query for the records and one for the relation, whatever the number of records. Both read the same state of the
    /// database: outside a transaction, they run in a deferred one.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit its record.
    // Without the pack of the form for several relations: with one, Swift 6.3.1 refuses `print(….count)` without a message.
    @inlinable
    public func all<Source: TableRecord, Output>(
        _ type: Source.Type, including relation: Relation<Source, Output>
    ) throws -> [(Source, Output)] {
        try all(Source.query, including: relation)
    }

    /// Returns the records of a query, each with the records of a relation.
    ///
    ///     let page = try connection.all(
    ///         User.where { $0.age > 17 }.limit(20), including: User.posts)
    ///
    /// Runs the query and one query for the relation, as ``all(_:including:)-(Source.Type,_)`` does.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit its record.
    @inlinable
    public func all<Source: TableRecord, Output>(
        _ query: some Selection<Source>, including relation: Relation<Source, Output>
    ) throws -> [(Source, Output)] {
        try allRelated(query.select, relation)
    }

    /// Returns all records of a table, each with the records of several relations.
    ///
    ///     let posts = try connection.all(Post.self, including: Post.author, Post.tags)
    ///     // [(Post, User?, [Tag])]
    ///
    /// Runs one query for the records and one for each relation, as ``all(_:including:)-(Source.Type,_)`` does. Give the result a name
    /// before it is used further.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit its record.
    @inlinable
    public func all<Source: TableRecord, First, Second, each Other>(
        _ type: Source.Type, including first: Relation<Source, First>, _ second: Relation<Source, Second>,
        _ others: repeat Relation<Source, each Other>
    ) throws -> [(Source, First, Second, repeat each Other)] {
        try all(Source.query, including: first, second, repeat each others)
    }

    /// Returns the records of a query, each with the records of several relations.
    ///
    ///     let page = try connection.all(
    ///         Post.where { $0.score > 3 }, including: Post.author, Post.tags)
    ///
    /// Runs the query and one query for each relation, as ``all(_:including:)-(Source.Type,_)`` does.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit its record.
    @inlinable
    public func all<Source: TableRecord, First, Second, each Other>(
        _ query: some Selection<Source>, including first: Relation<Source, First>, _ second: Relation<Source, Second>,
        _ others: repeat Relation<Source, each Other>
    ) throws -> [(Source, First, Second, repeat each Other)] {
        try allRelated(query.select, first, second, repeat each others)
    }

    /// Returns the records of a query, each with its related records.
    @inlinable
    func allRelated<Source: TableRecord, Output, each Other>(
        _ select: Select<Source>, _ relation: Relation<Source, Output>, _ others: repeat Relation<Source, each Other>
    ) throws -> [(Source, Output, repeat each Other)] {
        try withOneSnapshot {
            var keys = try storedKeys(of: select.reader, relation, repeat each others)
            let sources = try all(select) { keys.append($0) }
            return try withRelated(sources, keys, relation, repeat each others)
        }
    }

    /// Returns a page of a query's records, each with its related records.
    ///
    ///     let page = try connection.page(
    ///         User.order { $0.name }, after: cursor, size: 50, including: User.posts)
    ///     // Page<(User, [Post])>
    ///
    /// Runs the query of ``page(_:after:size:)`` and one query for each relation, as ``all(_:including:)-(Source.Type,_)`` does.
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit its record.
    @inlinable
    public func page<Q: ClauseQuery, Source: TableRecord, Output, each Other>(
        _ query: Q, after cursor: PageCursor? = nil, size: Int, including relation: Relation<Source, Output>,
        _ others: repeat Relation<Source, each Other>
    ) throws -> Page<(Source, Output, repeat each Other)> where Q.Output == Source {
        try withOneSnapshot {
            let query = query.page(after: cursor, size: size)
            var keys = try storedKeys(of: query.reader, relation, repeat each others)
            let page = try page(query) { keys.append($0) }
            return Page(items: try withRelated(page.items, keys, relation, repeat each others), next: page.next)
        }
    }

    /// Returns the first record of a query with its related records, or `nil`.
    ///
    ///     let ada = try connection.first(User.where { $0.id == 1 }, including: User.posts)
    ///     // (User, [Post])?
    ///
    /// - Throws: ``SQLiteError``; ``ConversionError`` for a row that does not fit its record.
    @inlinable
    public func first<Source: TableRecord, Output, each Other>(
        _ query: some Selection<Source>, including relation: Relation<Source, Output>,
        _ others: repeat Relation<Source, each Other>
    ) throws -> (Source, Output, repeat each Other)? {
        try withOneSnapshot {
            let select = query.select
            var keys = try storedKeys(of: select.reader, relation, repeat each others)
            let source = try withStatement(select.sql) { statement in
                try statement.nextRow().map { row in
                    keys.append(row)
                    return try select.reader.read(row)
                }
            }
            guard let source else { return nil }
            return try withRelated([source], keys, relation, repeat each others).first
        }
    }

    /// Returns the keys of relations, of rows that are still to be read.
    @usableFromInline
    func storedKeys<Source: TableRecord, Output, each Other>(
        of reader: SourceReader<Source>, _ relation: Relation<Source, Output>,
        _ others: repeat Relation<Source, each Other>
    ) throws -> StoredKeys {
        var keys = StoredKeys(of: reader)
        try keys.add(relation)
        repeat try keys.add(each others)
        return keys
    }

    /// Returns the records, each with its related records.
    @usableFromInline
    func withRelated<Source: TableRecord, Output, each Other>(
        _ sources: [Source], _ keys: StoredKeys, _ relation: Relation<Source, Output>,
        _ others: repeat Relation<Source, each Other>
    ) throws -> [(Source, Output, repeat each Other)] {
        let related = try relation.load(self, sources, keys)
        let outputs = (repeat try (each others).load(self, sources, keys))
        return sources.indices.map { (sources[$0], related[$0], repeat (each outputs)[$0]) }
    }

    /// Runs a closure whose queries all read the same state of the database.
    @usableFromInline
    func withOneSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
        isInTransaction ? try body() : try transaction(transactionType: .deferred, closure: body)
    }
}

extension Relation {
    /// A relation whose records come with their own related records: `User.posts.including(Post.tags)`.
    ///
    ///     let users = try connection.all(User.self, including: User.posts.including(Post.tags))
    ///     // [(User, [(Post, [Tag])])]
    ///
    /// Runs one query for each relation.
    public func including<Target: TableRecord, Inner, each Other>(
        _ relation: Relation<Target, Inner>, _ others: repeat Relation<Target, each Other>
    ) -> Relation<Source, [(Target, Inner, repeat each Other)]> where Output == [Target] {
        Relation<Source, [(Target, Inner, repeat each Other)]>(
            path: targetPath(to: Target.self), load: targets(with: relation, repeat each others))
    }

    /// A relation whose record comes with its own related records: `Post.author.including(User.team)`.
    ///
    ///     let posts = try connection.all(
    ///         Post.self, including: Post.author.including(User.team))
    ///     // [(Post, (User, Team?)?)]
    ///
    /// Runs one query for each relation.
    public func including<Target: TableRecord, Inner, each Other>(
        _ relation: Relation<Target, Inner>, _ others: repeat Relation<Target, each Other>
    ) -> Relation<Source, (Target, Inner, repeat each Other)?> where Output == Target? {
        let load = targets(with: relation, repeat each others)
        return Relation<Source, (Target, Inner, repeat each Other)?>(path: targetPath(to: Target.self)) {
            // Not by a key path, whose type of a pack is not found when the program runs (Swift 6.3.1).
            try load($0, $1, $2).map { $0.first }
        }
    }

    /// Returns a closure that loads the target records, each with its related records.
    private func targets<Target: TableRecord, Inner, each Other>(
        with relation: Relation<Target, Inner>, _ others: repeat Relation<Target, each Other>
    ) -> Relation<Source, [(Target, Inner, repeat each Other)]>.Load {
        let path = targetPath(to: Target.self)
        let others = (repeat each others)
        return { connection, sources, sourceKeys in
            var keys = StoredKeys()
            try keys.add(relation)
            repeat try keys.add(each others)
            let found = try path.groups(connection, sources, sourceKeys, adding: &keys)
            let targets = found.groups.flatMap(\.self)
            let related = try relation.load(connection, targets, keys)
            let outputs = (repeat try (each others).load(connection, targets, keys))
            var index = 0
            let groups = found.groups.map { group in
                group.map { target in
                    defer { index += 1 }
                    return (target, related[index], repeat (each outputs)[index])
                }
            }
            return RelatedGroups(groups: groups, numbers: found.numbers).ofSources
        }
    }
}
