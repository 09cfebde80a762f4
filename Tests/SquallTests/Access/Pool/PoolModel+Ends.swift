@testable import Squall

// The steps of the threads that suspend, drain and close the pool.

extension PoolModel {
    func appendOther(_ world: World, _ thread: Int, _ isFree: Bool, _ steps: inout [Step]) {
        switch world.threads[thread].place {
        case .idle where isFree:
            let next: AfterSlots =
                switch world.threads[thread].role {
                case .suspension: .suspend
                case .drain: .drain
                default: .stop
                }
            append(world, &steps) { closeSlots(&$0, thread, then: next) }
        case .suspended where isFree: appendResume(world, thread, &steps)
        case .reopening where isFree:
            // PoolCore.openConnection
            append(world, &steps) { world in
                let item = freeItem(world)
                world.state.opened(item)
                world.threads[thread].place = .reopened(item)
            }
        case .reopened(let item) where isFree:
            // PoolCore.resume, and `release` of the connection that was opened.
            append(world, &steps) { world in
                if world.state.resume() { world.awaitsQuiet = false }
                world.threads[thread].place = .releasing(item)
            }
        case .releasing(let item) where isFree:
            append(world, &steps) { releaseSlowly(&$0, thread, item) }
        case .stopped where isFree:
            // PoolCore.close(then:)
            append(world, &steps) { world in
                let closing = world.state.close()
                world.awaitsClose = !world.state.isFinished
                world.threads[thread].place = closing.isEmpty ? .waitingForClose : .closing(closing)
            }
        case .waitingForClose where !world.awaitsClose || mistake == .endsBeforeClosed:
            append(world, &steps) { $0.threads[thread].place = .done }
        default: appendClosing(world, thread, isFree, &steps)
        }
    }

    private func append(_ world: World, _ steps: inout [Step], _ change: (inout World) -> Void) {
        var world = world
        change(&world)
        steps.append(Step(world: world))
    }

    /// Database.endSuspension: the writer is opened again, and readers are opened as they are needed.
    private func appendResume(_ world: World, _ thread: Int, _ steps: inout [Step]) {
        if case .only = pool {
            var reopened = world
            if reopened.state.leaseToReopen() {
                reopened.threads[thread].place = .reopening
                return steps.append(Step(world: reopened))
            }
            // The old connection is still in use. A database that has been closed is not resumed.
            if case .suspended = world.state.phase, !world.state.connections.isEmpty {
                return append(world, &steps) { world in
                    _ = world.state.resume()
                    world.threads[thread].place = .done
                }
            }
            if case .suspended = world.state.phase { return }
        }
        append(world, &steps) { world in
            if world.state.resume() { world.awaitsQuiet = false }
            world.threads[thread].place = .done
        }
    }

}
