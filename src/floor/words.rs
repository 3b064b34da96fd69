//! What the model is told of what a contained command left behind.

/// The sentences for a run that left something behind, or brought something from its repository.
pub fn told_found(found: &[String], told: &[String]) -> String {
    let mut text = String::new();
    if !told.is_empty() {
        text.push_str(&format!(
            "\n\n(Other programs obey what this command brought: {}.)",
            told.join("; ")
        ));
    }
    if found.is_empty() {
        return text;
    }
    text + &format!(
        "\n\n(What this command left behind would have run outside containment: {}. Nothing more runs unasked in this session \
         until a person has seen it.)",
        found.join("; ")
    )
}
