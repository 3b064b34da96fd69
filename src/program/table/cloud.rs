//! Clouds, clusters and infrastructure.

family! {}
