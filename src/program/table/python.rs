//! Python, its installers and checkers.

family! {}
