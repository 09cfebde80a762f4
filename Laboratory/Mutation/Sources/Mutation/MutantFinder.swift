import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the places of a source file where a change is a likely mistake.
final class MutantFinder: SyntaxVisitor {
    private let file: String
    private let converter: SourceLocationConverter
    private(set) var mutants: [Mutant] = []

    /// Returns the mutants of a file.
    static func mutants(in source: String, file: String) -> [Mutant] {
        let parsed = Parser.parse(source: source)
        // Operators that a file declares itself are not in the table: their expressions are left as they are.
        let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
        let finder = MutantFinder(file, SourceLocationConverter(fileName: file, tree: folded))
        finder.walk(folded)
        return finder.mutants
    }

    private init(_ file: String, _ converter: SourceLocationConverter) {
        self.file = file
        self.converter = converter
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: - Expressions

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let operation = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text,
            let (kind, other) = Self.operators[operation]
        else { return .visitChildren }
        if kind == .arithmetic, !Self.isNumber(node.rightOperand) { return .visitChildren }
        let left = node.leftOperand.trimmedDescription
        let right = node.rightOperand.trimmedDescription
        let after = "\(left) \(other) \(right)"
        add(kind, node, after: after, replacement: "(squallMutant(#) ? \(after) : \(node.trimmedDescription))")
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let isTrue = node.literal.text == "true"
        add(
            .boolean, node, after: isTrue ? "false" : "true",
            replacement: isTrue ? "!squallMutant(#)" : "squallMutant(#)")
        return .skipChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard let value = Int(node.literal.text), value < 1_000_000 else { return .skipChildren }
        add(.number, node, after: "\(value + 1)", replacement: "(squallMutant(#) ? \(value + 1) : \(value))")
        return .skipChildren
    }

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        if case .expression(let expression) = node.condition {
            let text = expression.trimmedDescription
            add(.condition, expression, after: "!(\(text))", replacement: "(squallMutant(#) != (\(text)))")
        }
        return .visitChildren
    }

    // MARK: - Statements

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard case .expr(let expression) = node.item, let list = node.parent?.as(CodeBlockItemListSyntax.self),
            // The only expression of a body can be its result.
            list.count > 1
        else { return .visitChildren }
        let text = expression.trimmedDescription
        if let kind = Self.statementKind(expression), kind == .deletedCall || !Self.isInInitializer(node) {
            add(kind, expression, after: "", replacement: "if !squallMutant(#) { \(text) }")
        }
        return .visitChildren
    }

    private static func statementKind(_ expression: ExprSyntax) -> Mutant.Kind? {
        let inner = expression.as(TryExprSyntax.self)?.expression ?? expression
        if inner.is(FunctionCallExprSyntax.self) { return .deletedCall }
        guard let infix = inner.as(InfixOperatorExprSyntax.self) else { return nil }
        if infix.operator.is(AssignmentExprSyntax.self) { return .deletedAssignment }
        let assigns = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text.hasSuffix("=") == true
        return assigns ? .deletedAssignment : nil
    }

    /// Whether a statement is directly in an initializer, which must set each property.
    private static func isInInitializer(_ node: CodeBlockItemSyntax) -> Bool {
        var ancestor = node.parent
        while let current = ancestor, !current.is(ClosureExprSyntax.self), !current.is(FunctionDeclSyntax.self) {
            if current.is(InitializerDeclSyntax.self) { return true }
            ancestor = current.parent
        }
        return false
    }

    // MARK: - Places that are left out

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: PrecedenceGroupDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AvailabilityConditionSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    /// The conditions of `#if`.
    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        if let elements = node.elements { walk(elements) }
        return .skipChildren
    }

    // MARK: -

    private func add(_ kind: Mutant.Kind, _ node: some SyntaxProtocol, after: String, replacement: String) {
        let (start, end) = (node.positionAfterSkippingLeadingTrivia, node.endPositionBeforeTrailingTrivia)
        let line = converter.location(for: start).line
        mutants.append(
            Mutant(
                kind: kind, file: file, line: line, code: Mutant.oneLine(converter.sourceLines[line - 1]),
                start: start.utf8Offset, end: end.utf8Offset, before: node.trimmedDescription, after: after,
                replacement: replacement)
        )
    }

    private static func isNumber(_ expression: ExprSyntax) -> Bool {
        expression.is(IntegerLiteralExprSyntax.self)
            || expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "count"
    }

    private static let operators: [String: (Mutant.Kind, String)] = [
        "==": (.comparison, "!="), "!=": (.comparison, "=="), "<": (.comparison, "<="), "<=": (.comparison, "<"),
        ">": (.comparison, ">="), ">=": (.comparison, ">"), "&&": (.logic, "||"), "||": (.logic, "&&"),
        "+": (.arithmetic, "-"), "-": (.arithmetic, "+"), "&+": (.arithmetic, "&-"), "&-": (.arithmetic, "&+"),
    ]
}
