//! Reading, searching and changing texts.

family! {}
