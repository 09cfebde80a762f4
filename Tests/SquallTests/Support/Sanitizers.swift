import Foundation

enum Sanitizers {
    static let hasAddressSanitizer = dlsym(nil, "__asan_init") != nil
    static let areInUse = hasAddressSanitizer || dlsym(nil, "__tsan_init") != nil
}
