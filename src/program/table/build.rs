//! Build tools, compilers and linkers.

family! {}
