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
