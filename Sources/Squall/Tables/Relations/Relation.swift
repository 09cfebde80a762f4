/// A relation from the records of one table to records of another.
///
///     struct Post: TableRecord {
///         let id: Int64?; let author: Int64; let title: String
///         // Relation<Post, User?>
///         static let author = Relation(\Post.author, to: \User.id)
///         // Relation<Post, [Tag]>
///         static let tags = Relation(
///             \Post.id, through: \Tagging.post, \Tagging.tag, to: \Tag.id)
///         …
///     }
///     // Relation<User, [Post]>
///     extension User { static let posts = Post.author.inverse() }
///
///     try connection.first(Post.author, of: post)           // User?
///     try connection.all(User.posts, of: user)              // [Post]
///     try connection.all(User.self, including: User.posts)  // [(User, [Post])], 2 queries
///     Post.join(Post.author).where { $1.age > 17 }          // a query
///
/// A relation is two columns that are compared, and nothing more: it loads nothing by itself. `Output` is `Target?` for a relation
/// to one record, and `[Target]` for a relation to several.
///
/// Keys are compared as they are stored. Both columns must be declared with the same collation. Reading throws when it finds a key
/// that only a collation makes equal.
public struct Relation<Source: TableRecord, Output>: Sendable {
    /// Returns the output for each source record, in their order. The keys of the records are computed where they are not given.
    typealias Load = @Sendable (Connection, [Source], StoredKeys?) throws -> [Output]

    /// The ``RelationPath`` to the target, whose type is not a parameter of the relation.
    private let path: any AnyRelationPath
    let load: Load

    init(path: any AnyRelationPath, load: @escaping Load) {
        self.path = path
        self.load = load
    }

    /// Returns the index of the source's column that is compared.
    ///
    /// - Throws: ``SQLiteError`` for a wrong declaration, and for a property without a column.
    func sourceColumn() throws -> Int { try path.sourceColumn() }

    /// Returns the path to the target records. Every initialiser stores a path to the target type that `Output` names.
    func targetPath<Target: TableRecord>(to type: Target.Type = Target.self) -> RelationPath<Source, Target> {
        unsafeDowncast(path, to: RelationPath<Source, Target>.self)
    }
}

extension Relation {
    /// A relation to one record: a column, often a foreign key, and the key that it refers to.
    ///
    /// The relation has no record for a source whose column is NULL, and for one without a matching row.
    @inlinable
    public init<Target: TableRecord, Foreign: StatementParameter, Key: StatementParameter>(
        _ foreignKey: any KeyPath<Source, Foreign> & Sendable, to key: any KeyPath<Target, Key> & Sendable
    ) where Output == Target?, Foreign.ColumnBase == Key.ColumnBase {
        self.init(RelationPath(RelatedProperty(foreignKey), RelatedProperty(key)))
    }

    /// A relation to several records through a table that links the two, with a column for each of them.
    ///
    /// A pair that the table has twice gives the record twice.
    @inlinable
    public init<
        Link: TableRecord, Target: TableRecord, Key: StatementParameter, LinkKey: StatementParameter,
        LinkOther: StatementParameter, Other: StatementParameter
    >(
        _ key: any KeyPath<Source, Key> & Sendable, through linkKey: any KeyPath<Link, LinkKey> & Sendable,
        _ linkOther: any KeyPath<Link, LinkOther> & Sendable, to other: any KeyPath<Target, Other> & Sendable
    ) where Output == [Target], Key.ColumnBase == LinkKey.ColumnBase, LinkOther.ColumnBase == Other.ColumnBase {
        let link = RelationLink(RelatedProperty(linkKey), RelatedProperty(linkOther))
        self.init(RelationPath(RelatedProperty(key), RelatedProperty(other), link))
    }

    /// The relation in the other direction, to all records that refer to one: `static let posts = Post.author.inverse()`.
    public func inverse<Target: TableRecord>() -> Relation<Target, [Source]> where Output == Target? {
        Relation<Target, [Source]>(targetPath().inverse)
    }

    @usableFromInline
    init<Target>(_ path: RelationPath<Source, Target>) where Output == Target? {
        self.init(path: path) { connection, sources, keys in try path.load(connection, sources, keys).map(\.first) }
    }

    @usableFromInline
    init<Target>(_ path: RelationPath<Source, Target>) where Output == [Target] {
        self.init(path: path) { connection, sources, keys in try path.load(connection, sources, keys) }
    }
}

// MARK: - Clauses

extension Relation {
    /// Limits a relation to the records that meet a condition: `User.posts.where { $0.score > 3 }`.
    public func `where`<Target: TableRecord>(
        _ condition: @escaping @Sendable (Columns<Target>) -> Condition
    ) -> Relation where Output == [Target] {
        Relation(targetPath().limited(to: condition))
    }

    /// Limits a relation to a record that meets a condition: `Post.author.where { $0.age > 17 }`.
    public func `where`<Target: TableRecord>(
        _ condition: @escaping @Sendable (Columns<Target>) -> Condition
    ) -> Relation where Output == Target? {
        Relation(targetPath().limited(to: condition))
    }

    /// Adds terms of the order of the records of a relation: `User.posts.order { $0.title }`.
    public func order<Target: TableRecord>(
        @ListBuilder<Ordering> _ terms: @escaping @Sendable (Columns<Target>) -> [Ordering]
    ) -> Relation where Output == [Target] {
        Relation(targetPath().ordered(by: terms))
    }
}

extension TableOption {
    /// `FOREIGN KEY ("author") REFERENCES "users"("id") ON DELETE CASCADE`, of a relation to one record.
    ///
    ///     static let author = Relation(\Post.author, to: \User.id)
    ///     static let table = Table(
    ///         "posts", Post.init, .foreignKey(author, onDelete: .cascade)
    ///     ) { … }
    public static func foreignKey<Source, Target: TableRecord>(
        _ relation: Relation<Source, Target?>, onDelete: ForeignKeyReference.Action? = nil,
        onUpdate: ForeignKeyReference.Action? = nil
    ) -> Self {
        let path = relation.targetPath(to: Target.self)
        return lazily { path.foreignKey(onDelete: onDelete, onUpdate: onUpdate) }
    }
}

extension TableRecord {
    /// Begins a query with the record that a relation refers to: `… JOIN "users" ON "posts"."author" = "users"."id"`.
    ///
    ///     Post.join(Post.author).where { post, user in user.age > 17 }
    public static func join<Target: TableRecord>(
        _ relation: Relation<Self, Target?>
    ) -> JoinedQuery<Columns<Self>, Columns<Target>> {
        relation.targetPath(to: Target.self).join(query)
    }

    /// Begins a query with the records of a relation: `… JOIN "posts" ON "users"."id" = "posts"."author"`.
    ///
    ///     User.join(User.posts).select { ($0.name, $1.title) }
    public static func join<Target: TableRecord>(
        _ relation: Relation<Self, [Target]>
    ) -> JoinedQuery<Columns<Self>, Columns<Target>> {
        let path = relation.targetPath(to: Target.self)
        return path.join(query).order { _, target in for term in path.terms(target) { term } }
    }
}
