import Testing

@testable import Squall

/// The states of a handle, without SQLite: the pointer is never used.
struct HandleStateTests {
    private let handle: OpaquePointer
    private var open: HandleState { .open(handle) }

    init() throws {
        handle = try #require(OpaquePointer(bitPattern: 8))
    }

    @Test func aHookHasNoHandleButMayReadProperties() {
        var state = open
        state.beginHook("update hook")
        #expect(state.handle == nil)
        #expect(state.handleInHooks == handle)
        #expect(!state.isClosed)
        let closes1 = state.endHook(open)
        #expect(!closes1)
        #expect(state.handle == handle)
    }

    @Test func aHookInsideAHookKeepsTheHandle() {
        var state = open
        state.beginHook("update hook")
        let outer = state
        state.beginHook("busy handler")
        #expect(state.handleInHooks == handle)
        state.closeAfterHook()
        let closes2 = state.endHook(outer)
        #expect(closes2)
        let closes3 = state.endHook(open)
        #expect(!closes3)
    }

    @Test func aHookDuringClosingIsPartOfClosing() {
        var state = open
        state.beginClosing(handle)
        #expect(state.isClosing)
        #expect(state.handle == handle)
        let outer = state
        state.beginHook("rollback hook")
        #expect(state.isClosing)
        let closes4 = state.endHook(outer)
        #expect(!closes4)
        state.removeHandle()
        #expect(state.isClosed)
        state.beginHook("trace hook")
        #expect(state.isClosed)
        state.closeAfterHook()
        let closes5 = state.endHook(.closing(nil))
        #expect(!closes5)
        state.endClosing()
        #expect(!state.isClosing)
        #expect(state.isClosed)
    }

    @Test func closingIsPutOffOnce() {
        var state = open
        let resumes6 = state.reopenForClosing()
        #expect(!resumes6)
        state.deferClosing(handle)
        #expect(state.handle == nil)
        #expect(state.isClosed)
        let resumes7 = state.reopenForClosing()
        #expect(resumes7)
        #expect(state.handle == handle)
        let resumes8 = state.reopenForClosing()
        #expect(!resumes8)
    }

    @Test func aClaimReturnsTheHandleWhenItHasEnded() {
        var state = open
        let claim = ConnectionClaim(
            handle: handle, kind: .problem(BackupProblem.unfinishedDestination), callbackContexts: [])
        state.beginClaim(claim)
        #expect(state.handle == nil)
        #expect(state.interruptibleHandle == handle)
        #expect(!state.isClosed)
        let returned9 = state.takeBack()
        #expect(returned9 == nil)
        claim.release()
        claim.release()
        #expect(!claim.closeAtEnd())
        #expect(!claim.finalizeAtEnd(handle))
        let returned10 = state.takeBack()
        #expect(returned10 == handle)
        let returned11 = state.takeBack()
        #expect(returned11 == nil)
        #expect(state.handle == handle)
    }

    @Test func aConnectionThatIsClosedDuringAClaimStaysClosed() {
        var state = open
        let claim = ConnectionClaim(
            handle: handle, kind: .problem(BackupProblem.unfinishedDestination), callbackContexts: [])
        state.beginClaim(claim)
        #expect(claim.closeAtEnd())
        #expect(claim.closeAtEnd())
        #expect(state.isClosed)
        #expect(state.interruptibleHandle == nil, "the claim has closed the handle, or is about to")
        let returned12 = state.takeBack()
        #expect(returned12 == nil)
    }
}
