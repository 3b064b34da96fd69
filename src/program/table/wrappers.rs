//! Programs that run another program.

family! {}
