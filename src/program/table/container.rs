//! Containers and virtual machines.

family! {}
