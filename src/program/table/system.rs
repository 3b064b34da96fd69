//! Processes, services, users and the machine.

family! {}
