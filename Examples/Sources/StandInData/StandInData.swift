/// Stands for `SwiftData.Schema`, on platforms without SwiftData. Its macros, such as `@Model`, are left out.
public final class Schema {
    public struct Version: Sendable {
        public init(_ major: Int, _ minor: Int, _ patch: Int) {}
    }

    public struct Attribute {}
    public struct Relationship {}

    public let types: [Any.Type]

    public init(_ types: [Any.Type], version: Version = Version(1, 0, 0)) { self.types = types }
}

/// Stands for the type of `@Query`.
@propertyWrapper public struct Query<Element, Result> {
    public let wrappedValue: Result

    public init() where Result == [Element] { wrappedValue = [] }
}

public struct FetchDescriptor<Model> {}
public final class ModelContainer {}
public final class ModelContext {}
