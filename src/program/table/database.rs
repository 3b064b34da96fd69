//! Data bases and their shells.

family! {}
