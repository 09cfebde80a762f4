import Squall

/// Another connection that writes to the file.
final class OutsiderFeature: FeatureParts {
    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        try world.writeOutside(Change.random(world.model, world.shape, &dice), by: self)
    }

    func check(_ connection: Connection, _ model: Model) throws {}
}
