// Written by `Scripts/arities.swift`, which says what for. Do not edit it here.

extension Connection {
    @_documentation(visibility: internal)
    @inlinable
    public func run<A: StatementParameter>(
        _ sql: SQL, _ a: A
    ) throws {
        let entry = try borrow(sql, count: 1)
        defer { self.return(entry) }
        var parameter = entry.firstParameter
        try parameter.bindNext(a)
        try entry.run()
    }

    @_documentation(visibility: internal)
    @inlinable
    public func run<A: StatementParameter, B: StatementParameter>(
        _ sql: SQL, _ a: A, _ b: B
    ) throws {
        let entry = try borrow(sql, count: 2)
        defer { self.return(entry) }
        var parameter = entry.firstParameter
        try parameter.bindNext(a)
        try parameter.bindNext(b)
        try entry.run()
    }

    @_documentation(visibility: internal)
    @inlinable
    public func run<A: StatementParameter, B: StatementParameter, C: StatementParameter>(
        _ sql: SQL, _ a: A, _ b: B, _ c: C
    ) throws {
        let entry = try borrow(sql, count: 3)
        defer { self.return(entry) }
        var parameter = entry.firstParameter
        try parameter.bindNext(a)
        try parameter.bindNext(b)
        try parameter.bindNext(c)
        try entry.run()
    }

    @_documentation(visibility: internal)
    @inlinable
    public func run<A: StatementParameter, B: StatementParameter, C: StatementParameter, D: StatementParameter>(
        _ sql: SQL, _ a: A, _ b: B, _ c: C, _ d: D
    ) throws {
        let entry = try borrow(sql, count: 4)
        defer { self.return(entry) }
        var parameter = entry.firstParameter
        try parameter.bindNext(a)
        try parameter.bindNext(b)
        try parameter.bindNext(c)
        try parameter.bindNext(d)
        try entry.run()
    }

    @_documentation(visibility: internal)
    @inlinable
    public func run<
        A: StatementParameter, B: StatementParameter, C: StatementParameter, D: StatementParameter,
        E: StatementParameter
    >(
        _ sql: SQL, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
    ) throws {
        let entry = try borrow(sql, count: 5)
        defer { self.return(entry) }
        var parameter = entry.firstParameter
        try parameter.bindNext(a)
        try parameter.bindNext(b)
        try parameter.bindNext(c)
        try parameter.bindNext(d)
        try parameter.bindNext(e)
        try entry.run()
    }

    @_documentation(visibility: internal)
    @inlinable
    public func run<
        A: StatementParameter, B: StatementParameter, C: StatementParameter, D: StatementParameter,
        E: StatementParameter, F: StatementParameter
    >(
        _ sql: SQL, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
    ) throws {
        let entry = try borrow(sql, count: 6)
        defer { self.return(entry) }
        var parameter = entry.firstParameter
        try parameter.bindNext(a)
        try parameter.bindNext(b)
        try parameter.bindNext(c)
        try parameter.bindNext(d)
        try parameter.bindNext(e)
        try parameter.bindNext(f)
        try entry.run()
    }

    @_documentation(visibility: internal)
    @inlinable
    public func run<
        A: StatementParameter, B: StatementParameter, C: StatementParameter, D: StatementParameter,
        E: StatementParameter, F: StatementParameter, G: StatementParameter
    >(
        _ sql: SQL, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) throws {
        let entry = try borrow(sql, count: 7)
        defer { self.return(entry) }
        var parameter = entry.firstParameter
        try parameter.bindNext(a)
        try parameter.bindNext(b)
        try parameter.bindNext(c)
        try parameter.bindNext(d)
        try parameter.bindNext(e)
        try parameter.bindNext(f)
        try parameter.bindNext(g)
        try entry.run()
    }

    @_documentation(visibility: internal)
    @inlinable
    public func run<
        A: StatementParameter, B: StatementParameter, C: StatementParameter, D: StatementParameter,
        E: StatementParameter, F: StatementParameter, G: StatementParameter, H: StatementParameter
    >(
        _ sql: SQL, _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) throws {
        let entry = try borrow(sql, count: 8)
        defer { self.return(entry) }
        var parameter = entry.firstParameter
        try parameter.bindNext(a)
        try parameter.bindNext(b)
        try parameter.bindNext(c)
        try parameter.bindNext(d)
        try parameter.bindNext(e)
        try parameter.bindNext(f)
        try parameter.bindNext(g)
        try parameter.bindNext(h)
        try entry.run()
    }
}
