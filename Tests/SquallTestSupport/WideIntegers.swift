#if os(Linux)
    import Squall

    // Apple's systems have the type only from macOS 15 on. One conformance for all test targets, which one process runs.
    extension UInt128: Binding {}
#endif
