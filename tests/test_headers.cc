// Nothing to compile: the target holds the precompiled headers of all tests.
