//! The judgement against the conformance vectors and the corpora.

mod answers;
mod argument_rules;
mod bench;
mod corpus;
mod decision;
mod directories;
mod effects;
mod inputs;
mod known_weaknesses;
mod order;
mod regression_corpus;
mod repository;
mod rows;
mod rules;
mod safe_bins;
mod secrets;
mod vectors;
