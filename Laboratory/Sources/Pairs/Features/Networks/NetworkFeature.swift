import Squall

/// Databases of many forms that exchange their changes: some steps are another network, of peers or of a hub with its replicas.
final class NetworkFeature: FeatureParts {
    private let suffix: String
    private var number = 0

    init(_ suffix: String) { self.suffix = suffix }

    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        // A network takes as long as many other steps, and does not use the database.
        if !dice.once(in: 4) { return }
        number += 1
        let name = "side_\(suffix)\(number)"
        if dice.once(in: 2) {
            let network = try PeerNetwork(name, world, &dice)
            defer { network.close() }
            try network.run(&dice)
        } else {
            let network = try HubNetwork(name, world, &dice)
            defer { network.close() }
            try network.run(&dice)
        }
    }

    var namesNoTable: Bool { true }

    func check(_ connection: Connection, _ model: Model) throws {}
}
