import LaboratorySupport

/// The random choices of one step, which follow from the seed of the step.
struct Dice {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Returns a number from 0 to below a limit.
    mutating func number(below limit: Int) -> Int {
        Int.random(in: 0..<max(limit, 1), using: &generator)
    }

    /// Returns `true` once in a number of times.
    mutating func once(in count: Int) -> Bool { number(below: count) == 0 }

    /// Returns one of some elements, of which there is at least one.
    mutating func choice<Element>(of elements: [Element]) -> Element { elements[number(below: elements.count)] }

    /// Returns an element; `nil` if there is none.
    mutating func element<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(below: elements.count)]
    }

    mutating func seed() -> UInt64 { generator.next() }
}
