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
