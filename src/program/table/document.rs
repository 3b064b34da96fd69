//! Documents, images, and what turns one format into another.

family! {}
