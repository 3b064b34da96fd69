//! The core catalog (policy.md 1.1): one row per tool, in universe order. A new core tool is one more row.

use crate::model::Executor;

/// A profile that names tools; `full` restricts nothing and has no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Profile {
    Minimal,
    Coding,
    Messaging,
}

/// Every word that `profile` may be.
pub const PROFILES: [&str; 4] = ["minimal", "coding", "messaging", "full"];

/// One core tool.
#[derive(Debug, Clone, Copy)]
pub struct CoreTool {
    /// Its id.
    pub id: &'static str,
    /// Its section; also the name of its group.
    pub section: &'static str,
    profiles: &'static [Profile],
    /// Whether `group:openclaw` contains it.
    in_openclaw: bool,
    /// Whether only the owner may use it.
    pub owner_only: bool,
    /// What runs it here, without a binding.
    pub executor: Executor,
    /// One line for people.
    pub description: &'static str,
}

const NONE: &[Profile] = &[];
const CODING: &[Profile] = &[Profile::Coding];
const MESSAGING: &[Profile] = &[Profile::Messaging];
const CODING_MESSAGING: &[Profile] = &[Profile::Coding, Profile::Messaging];
const ALL: &[Profile] = &[Profile::Minimal, Profile::Coding, Profile::Messaging];

const fn row(
    id: &'static str,
    section: &'static str,
    profiles: &'static [Profile],
    in_openclaw: bool,
    executor: Executor,
    description: &'static str,
) -> CoreTool {
    CoreTool {
        id,
        section,
        profiles,
        in_openclaw,
        owner_only: false,
        executor,
        description,
    }
}

const fn owner(tool: CoreTool) -> CoreTool {
    CoreTool {
        owner_only: true,
        ..tool
    }
}

/// The catalog, in the order in which tools are listed.
pub static CORE: &[CoreTool] = {
    use Executor::{Builtin, None};
    &[
        row("read", "fs", CODING, false, Builtin, "Read a file"),
        row("write", "fs", CODING, false, Builtin, "Create or overwrite a file"),
        row("edit", "fs", CODING, false, Builtin, "Replace exact text in a file"),
        row(
            "apply_patch",
            "fs",
            CODING,
            false,
            Builtin,
            "Change several files with one patch",
        ),
        row("exec", "runtime", CODING, false, Builtin, "Run a shell command"),
        row(
            "process",
            "runtime",
            CODING,
            false,
            None,
            "Follow and control background commands",
        ),
        row(
            "code_execution",
            "runtime",
            CODING,
            true,
            None,
            "Run code in a remote sandbox",
        ),
        row("web_search", "web", CODING, true, None, "Search the web"),
        row("web_fetch", "web", CODING, true, None, "Fetch a page as text"),
        row("x_search", "web", CODING, true, None, "Search posts on X"),
        row(
            "memory_search",
            "memory",
            CODING,
            true,
            None,
            "Search the agent's memory",
        ),
        row(
            "memory_get",
            "memory",
            CODING,
            true,
            None,
            "Read from the agent's memory",
        ),
        row(
            "sessions_list",
            "sessions",
            CODING_MESSAGING,
            true,
            None,
            "List sessions",
        ),
        row(
            "sessions_history",
            "sessions",
            CODING_MESSAGING,
            true,
            None,
            "Read a session's history",
        ),
        row(
            "sessions_send",
            "sessions",
            CODING_MESSAGING,
            true,
            None,
            "Send a message to another session",
        ),
        row(
            "sessions_spawn",
            "sessions",
            CODING,
            true,
            None,
            "Start a sub-agent session",
        ),
        row(
            "sessions_yield",
            "sessions",
            CODING,
            true,
            None,
            "Wait for sub-agent results",
        ),
        row("subagents", "sessions", CODING, true, None, "Manage sub-agents"),
        row(
            "session_status",
            "sessions",
            ALL,
            true,
            None,
            "Show the session's status",
        ),
        row("browser", "ui", NONE, true, None, "Control a web browser"),
        row("canvas", "ui", NONE, true, None, "Show content on a canvas"),
        row(
            "message",
            "messaging",
            MESSAGING,
            true,
            None,
            "Send and manage messages",
        ),
        owner(row(
            "cron",
            "automation",
            CODING,
            true,
            None,
            "Schedule jobs and reminders",
        )),
        owner(row("gateway", "automation", NONE, true, None, "Control the gateway")),
        owner(row("nodes", "nodes", NONE, true, None, "Use paired devices")),
        row(
            "agents_list",
            "agents",
            NONE,
            true,
            Builtin,
            "List the agents that may be addressed",
        ),
        row(
            "update_plan",
            "agents",
            CODING,
            true,
            None,
            "Keep the plan of the current task",
        ),
        row("image", "media", CODING, true, None, "Understand an image"),
        row("image_generate", "media", CODING, true, None, "Generate images"),
        row("music_generate", "media", CODING, true, None, "Generate music"),
        row("video_generate", "media", CODING, true, None, "Generate videos"),
        row("tts", "media", NONE, true, None, "Turn text into speech"),
    ]
};

/// The row of a core tool.
pub fn core_tool(id: &str) -> Option<&'static CoreTool> {
    CORE.iter().find(|tool| tool.id == id)
}

/// Whether `entry` names a group of core tools.
pub fn is_group(entry: &str) -> bool {
    group_members(entry).is_some()
}

/// The members of `group:<section>` or `group:openclaw`, in catalog order.
pub fn group_members(entry: &str) -> Option<Vec<&'static str>> {
    let name = entry.strip_prefix("group:")?;
    let members: Vec<_> = CORE
        .iter()
        .filter(|tool| {
            if name == "openclaw" {
                tool.in_openclaw
            } else {
                tool.section == name
            }
        })
        .map(|tool| tool.id)
        .collect();
    (!members.is_empty()).then_some(members)
}

/// The allow list of a profile; `None` where the profile restricts nothing (`full`) or is not known.
pub fn profile_members(profile: &str) -> Option<Vec<&'static str>> {
    let profile = match profile {
        "minimal" => Profile::Minimal,
        "coding" => Profile::Coding,
        "messaging" => Profile::Messaging,
        _ => return None,
    };
    Some(
        CORE.iter()
            .filter(|tool| tool.profiles.contains(&profile))
            .map(|tool| tool.id)
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalog_has_the_counts_of_the_table() {
        assert_eq!(CORE.len(), 32);
        assert_eq!(group_members("group:openclaw").unwrap().len(), 26);
        assert_eq!(
            group_members("group:fs").unwrap(),
            ["read", "write", "edit", "apply_patch"]
        );
        assert_eq!(profile_members("minimal").unwrap(), ["session_status"]);
        assert_eq!(profile_members("messaging").unwrap().len(), 5);
        assert_eq!(profile_members("full"), None);
    }

    #[test]
    fn what_is_no_group_has_no_members() {
        for entry in ["group:plugins", "group:", "group:*", "fs", "group:FS", "constructor"] {
            assert_eq!(group_members(entry), None, "{entry}");
        }
    }
}
