//! Transfers, remote shells and servers.

family! {}
