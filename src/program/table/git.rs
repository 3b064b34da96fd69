//! `git` and its neighbours.

family! {}
