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
        var names: Set<ExactName> = []
        for parameter in parameters where !names.insert(ExactName(parameter.name)).inserted {
            throw ValidationError("The parameter '\(parameter.name)' is given twice.")
        }
    }

    /// Binds the values. Each must belong to a parameter, and each parameter must have one.
    func bind(to statement: Statement) throws {
        try statement.bind(contentsOf: values(for: statement).compactMap(\.self))
    }

    /// Returns the values for the parameters of a statement, in their order; `nil` for a parameter without a value.
    ///
    /// - Throws: ``Failure`` for a name that the SQL does not have, and unless `isComplete` is `false` for a parameter
    ///   without a value.
    func values(for statement: Statement, isComplete: Bool = true) throws -> [BindingValue?] {
        let names = statement.parameterNames
        // Without the sign before the name.
        let keys = names.map { $0.map { ExactName($0.dropFirst()) } }
        if let unknown = parameters.first(where: { !keys.contains(ExactName($0.name)) }) {
            throw Failure("the SQL has no parameter '\(unknown.name)'", exitCode: .sqlError)
        }
        let given = Dictionary(parameters.map { (ExactName($0.name), $0.value) }) { first, _ in first }
        let values = keys.map { key in key.flatMap { given[$0] } }
        let missing = zip(names, values).filter { $0.1 == nil }.map { $0.0 ?? "?" }
        guard missing.isEmpty || !isComplete else {
            throw Failure(
                "parameters of the SQL without a value: \(missing.joined(separator: ", "))", exitCode: .sqlError,
                hint: "give each a name in the SQL, and a value with -p name=value"
            )
        }
        return values
    }
}
