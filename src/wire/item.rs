//! Item ids: how one call is named in details and transcripts.

/// `command:<id>` for command runs, `patch:<id>` for patches, `tool:<id>` for everything else.
///
/// `tool` is the normalised name.
pub fn item_id(tool: &str, call_id: &str) -> String {
    let kind = match tool {
        "exec" => "command",
        "apply_patch" => "patch",
        _ => "tool",
    };
    format!("{kind}:{call_id}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_follows_the_tool() {
        assert_eq!(item_id("exec", "c1"), "command:c1");
        assert_eq!(item_id("apply_patch", "c1"), "patch:c1");
        assert_eq!(item_id("process", "c1"), "tool:c1");
    }
}
