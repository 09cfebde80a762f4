// Each trait of the package links an SQLite, and is a condition of the compiler. With neither trait, the app links one.
#if SystemSQLite && SQLCipher
    #error(
        """
        Squall would link two libraries: the traits SystemSQLite, which is the default, and SQLCipher are both on. The traits of all \
        packages add up. Write `traits: ["SQLCipher"]` or `traits: []` at each dependency on Squall, and on a package that passes \
        Squall's traits on.
        """
    )
#endif
