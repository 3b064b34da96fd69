//! By which right a command gets mounts of its own.

/// Whether a command can be given mounts of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Namespaces {
    /// As an administrator of this machine.
    Privileged,
    /// As the administrator of a namespace of users.
    User,
    /// Not at all: the step and the system's error number.
    Refused(i32),
}
