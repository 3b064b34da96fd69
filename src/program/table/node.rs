//! JavaScript: node, npm and what is around them.

family! {}
