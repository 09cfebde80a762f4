// Each trait of the package links an SQLite, and is a condition of the compiler. With neither trait, the app links one.
#if SystemSQLite && SQLCipher
    #error(
        "Squall links one library, but the traits SystemSQLite, the default, and SQLCipher are both on. Write `traits: []` at each dependency on Squall, Integrations and Cluster, in every package, except at the one that chooses SQLCipher."
    )
#endif
