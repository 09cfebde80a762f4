import ArgumentParser
import Squall

/// The values for the parameters of a statement, as options.
struct ParameterArguments: ParsableArguments {
    @Option(
        name: [.customShort("p"), .customLong("parameter")],
        help: ArgumentHelp(
            "The value of a parameter: limit=20000 for :limit, @limit or $limit, 1=20000 for ?1.",
            discussion: """
                A whole number of 64 bits is bound as INTEGER, a decimal number as REAL, anything else as TEXT. A type \
                after the name overrides that: code:text=007, n:int=3, x:real=1, key:blob=0102ff (hexadecimal), and \
                none:null= for NULL. Every parameter of the SQL must be given.
                """,
            valueName: "name=value"
        ),
        transform: Parameter.init(argument:)
    )
    var parameters: [Parameter] = []

    func validate() throws {
        var names: Set<String> = []
        for parameter in parameters where !names.insert(parameter.name).inserted {
            throw ValidationError("The parameter '\(parameter.name)' is given twice.")
        }
    }

    /// Binds the values. Each must belong to a parameter, and each parameter must have one.
    func bind(to statement: Statement) throws {
        try statement.bind(values(for: statement))
    }

    /// Returns the values for a statement, by the names of its parameters.
    ///
    /// - Throws: ``Failure`` for a name that the SQL does not have, and unless `isComplete` is `false` for a parameter
    ///   without a value.
    func values(for statement: Statement, isComplete: Bool = true) throws -> [String: (any Bindable)?] {
        let names = statement.parameterNames
        var values: [String: (any Bindable)?] = [:]
        for parameter in parameters {
            let own = names.compactMap(\.self).filter { $0.dropFirst() == parameter.name }
            if own.isEmpty {
                throw Failure("the SQL has no parameter '\(parameter.name)'", exitCode: .sqlError)
            }
            for name in own { values[name] = parameter.value }
        }
        let missing = names.filter { $0.map { values[$0] == nil } ?? true }
        guard missing.isEmpty || !isComplete else {
            throw Failure(
                "parameters of the SQL without a value: \(missing.map { $0 ?? "?" }.joined(separator: ", "))",
                exitCode: .sqlError,
                hint: "give each a name in the SQL, and a value with -p name=value"
            )
        }
        return values
    }
}
