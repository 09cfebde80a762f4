import FuzzTargets

/// The name of the target of this process. libFuzzer runs one target in one process.
private let target = FuzzTarget.all.first { $0.name == ChildRun.targetName }

/// Called by libFuzzer before everything else. Without the name of a target, the process is the lane, and does not return.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<Int32>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> Int32 {
    if target == nil {
        if let name = ChildRun.targetName { ChildRun.fail(WrongResult("there is no target \(name)")) }
        FuzzLane.main()
    }
    return 0
}

/// Called by libFuzzer for each input. An error ends the process, as a crash does, and libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    do {
        try target?.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        ChildRun.fail(error)
    }
    return 0
}
