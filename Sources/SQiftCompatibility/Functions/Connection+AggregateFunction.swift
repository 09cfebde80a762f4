import SquallSQLite

extension Connection {
    /// Makes the object of a group.
    public typealias AggregateContextObjectFactory = () -> AnyObject
    /// Adds a row to the object of its group.
    public typealias AggregateStepFunction = (AggregateFunctionContext, [FunctionValue]) -> Void
    /// Makes the result of a group.
    public typealias AggregateFinalFunction = (AggregateFunctionContext) -> FunctionResult

    /// Adds an aggregate to SQL in SQift's form. With `addAggregate`, no arguments need to be unpacked.
    ///
    /// - Parameters:
    ///   - name: The name of the aggregate in SQL.
    ///   - argumentCount: The number of arguments; negative for any number.
    ///   - deterministic: Whether the same rows always give the same result.
    ///   - contextObjectFactory: Makes the object of a group on first use.
    ///   - stepFunction: Called for each row.
    ///   - finalFunction: Called at the end of each group, and for the unfinished group when a statement ends early.
    /// - Throws: `SQLiteError` under the same conditions as
    ///   ``addScalarFunction(named:argumentCount:deterministic:function:)``.
    public func addAggregateFunction(
        named name: String, argumentCount: Int8, deterministic: Bool = false,
        contextObjectFactory: @escaping AggregateContextObjectFactory,
        stepFunction: @escaping AggregateStepFunction,
        finalFunction: @escaping AggregateFinalFunction
    ) throws {
        try addFunction(
            name, argumentCount: Int(argumentCount),
            flags: FunctionFlags(deterministic: deterministic, directOnly: false, innocuous: false),
            call: { call in
                let context = AggregateFunctionContext(call, contextObjectFactory)
                defer { context.end() }
                FunctionCallState.during { stepFunction(context, FunctionValue.all(of: call, $0)) }
            },
            final: { call in
                let context = AggregateFunctionContext(call, contextObjectFactory)
                defer { context.releaseObject() }
                try finalFunction(context).apply(to: call)
            }
        )
    }

    /// The context in which an aggregate finds the object of its group.
    public final class AggregateFunctionContext {
        private var call: FunctionCall?
        private let makeObject: AggregateContextObjectFactory
        /// The object, for a context that is kept after its call.
        private var known: AnyObject?

        fileprivate init(_ call: FunctionCall, _ makeObject: @escaping AggregateContextObjectFactory) {
            self.call = call
            self.makeObject = makeObject
        }

        /// The object of the group, made on first use.
        public var stepObject: AnyObject {
            if let known { return known }
            let object = stored ?? makeObject()
            known = object
            if let memory = call?.aggregateMemory(size: MemoryLayout<AggregateMemory>.size),
                memory.pointee.state == nil
            {
                memory.pointee.state = Unmanaged.passRetained(object).toOpaque()
            }
            return object
        }

        /// The object of the group; a new one for a group without rows.
        public var finalObject: AnyObject? { stepObject }

        private var stored: AnyObject? {
            guard let object = call?.aggregateMemory(size: 0)?.pointee.state else { return nil }
            return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
        }

        fileprivate func end() {
            call = nil
        }

        fileprivate func releaseObject() {
            if let memory = call?.aggregateMemory(size: 0), let object = memory.pointee.state {
                memory.pointee.state = nil
                Unmanaged<AnyObject>.fromOpaque(object).release()
            }
            end()
        }
    }
}
