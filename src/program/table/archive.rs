//! Archives and compression.

family! {}
