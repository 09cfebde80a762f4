// Written by `Scripts/arities.swift`, which says what for. Do not edit it here.

extension Statement {
    @_documentation(visibility: internal)
    @inlinable
    @discardableResult
    public func bind<A: StatementParameter>(
        _ a: A
    ) throws -> Statement {
        try bindEach(count: 1) { parameter in
            try parameter.bindNext(a)
        }
        return self
    }

    @_documentation(visibility: internal)
    @inlinable
    @discardableResult
    public func bind<A: StatementParameter, B: StatementParameter>(
        _ a: A, _ b: B
    ) throws -> Statement {
        try bindEach(count: 2) { parameter in
            try parameter.bindNext(a)
            try parameter.bindNext(b)
        }
        return self
    }

    @_documentation(visibility: internal)
    @inlinable
    @discardableResult
    public func bind<A: StatementParameter, B: StatementParameter, C: StatementParameter>(
        _ a: A, _ b: B, _ c: C
    ) throws -> Statement {
        try bindEach(count: 3) { parameter in
            try parameter.bindNext(a)
            try parameter.bindNext(b)
            try parameter.bindNext(c)
        }
        return self
    }

    @_documentation(visibility: internal)
    @inlinable
    @discardableResult
    public func bind<A: StatementParameter, B: StatementParameter, C: StatementParameter, D: StatementParameter>(
        _ a: A, _ b: B, _ c: C, _ d: D
    ) throws -> Statement {
        try bindEach(count: 4) { parameter in
            try parameter.bindNext(a)
            try parameter.bindNext(b)
            try parameter.bindNext(c)
            try parameter.bindNext(d)
        }
        return self
    }

    @_documentation(visibility: internal)
    @inlinable
    @discardableResult
    public func bind<
        A: StatementParameter, B: StatementParameter, C: StatementParameter, D: StatementParameter,
        E: StatementParameter
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
    ) throws -> Statement {
        try bindEach(count: 5) { parameter in
            try parameter.bindNext(a)
            try parameter.bindNext(b)
            try parameter.bindNext(c)
            try parameter.bindNext(d)
            try parameter.bindNext(e)
        }
        return self
    }

    @_documentation(visibility: internal)
    @inlinable
    @discardableResult
    public func bind<
        A: StatementParameter, B: StatementParameter, C: StatementParameter, D: StatementParameter,
        E: StatementParameter, F: StatementParameter
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
    ) throws -> Statement {
        try bindEach(count: 6) { parameter in
            try parameter.bindNext(a)
            try parameter.bindNext(b)
            try parameter.bindNext(c)
            try parameter.bindNext(d)
            try parameter.bindNext(e)
            try parameter.bindNext(f)
        }
        return self
    }

    @_documentation(visibility: internal)
    @inlinable
    @discardableResult
    public func bind<
        A: StatementParameter, B: StatementParameter, C: StatementParameter, D: StatementParameter,
        E: StatementParameter, F: StatementParameter, G: StatementParameter
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) throws -> Statement {
        try bindEach(count: 7) { parameter in
            try parameter.bindNext(a)
            try parameter.bindNext(b)
            try parameter.bindNext(c)
            try parameter.bindNext(d)
            try parameter.bindNext(e)
            try parameter.bindNext(f)
            try parameter.bindNext(g)
        }
        return self
    }

    @_documentation(visibility: internal)
    @inlinable
    @discardableResult
    public func bind<
        A: StatementParameter, B: StatementParameter, C: StatementParameter, D: StatementParameter,
        E: StatementParameter, F: StatementParameter, G: StatementParameter, H: StatementParameter
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) throws -> Statement {
        try bindEach(count: 8) { parameter in
            try parameter.bindNext(a)
            try parameter.bindNext(b)
            try parameter.bindNext(c)
            try parameter.bindNext(d)
            try parameter.bindNext(e)
            try parameter.bindNext(f)
            try parameter.bindNext(g)
            try parameter.bindNext(h)
        }
        return self
    }
}
