//! The floor under what runs unseen: which walls a plan gets on this machine, what it finds in them, and what is said of
//! it. The walls themselves are built by [`crate::confine`].
//!
//! | what | file |
//! |---|---|
//! | the session's own directories, and what this kernel can do | `place` |
//! | the repository of the workspace | `git` |
//! | package caches, by program | `cache` |
//! | before and after: what later programs obey | `guard` |
//! | what the model is told | `words` |

mod cache;
mod git;
mod guard;
mod place;
mod words;

pub use git::{Repository, repository};
pub use guard::{Finding, Guard, Watch};
pub use words::{refused_by_walls, told, told_found};

use crate::confine::{Kernel, Prepared, Report, WallFault, Walls};
use crate::gate::{Containment, ExecPlan};
use crate::path::Root;
use crate::state::StateFault;
use std::cell::OnceCell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a command cannot be contained; nothing was run.
#[derive(Debug)]
pub enum FloorFault {
    /// The session's directories cannot be used.
    State(StateFault),
    /// A wall cannot be put up.
    Wall(WallFault),
    /// Something that is required cannot be had here.
    Lacks(String),
}

impl fmt::Display for FloorFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::State(fault) => write!(f, "the command cannot be contained: {fault}"),
            Self::Wall(fault) => write!(f, "the command cannot be contained: {fault}"),
            Self::Lacks(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for FloorFault {}

impl From<StateFault> for FloorFault {
    fn from(fault: StateFault) -> Self {
        Self::State(fault)
    }
}

impl From<WallFault> for FloorFault {
    fn from(fault: WallFault) -> Self {
        Self::Wall(fault)
    }
}

/// Whose runs are contained, and where their own things are kept.
#[derive(Debug)]
pub struct Floor {
    state_dir: PathBuf,
    uid: u32,
    /// The name of the session's directories: calls of one session find what earlier ones left there.
    session: String,
    home: Option<PathBuf>,
    kernel: OnceCell<Kernel>,
}

/// Walls for one plan.
#[derive(Debug)]
pub struct Raised {
    /// What its processes put on.
    pub walls: Arc<Prepared>,
    /// Variables that lead programs to places of their own.
    pub env: Vec<(String, String)>,
    /// Where it may write, for the telling.
    pub writable: Vec<PathBuf>,
}

impl Raised {
    /// What is enforced.
    pub fn report(&self) -> Report {
        self.walls.report()
    }
}

impl Floor {
    /// The floor of one session of one user.
    pub fn new(state_dir: PathBuf, uid: u32, session: String, home: Option<PathBuf>) -> Self {
        Self {
            state_dir,
            uid,
            session,
            home,
            kernel: OnceCell::new(),
        }
    }

    /// Builds the walls of a plan.
    ///
    /// # Errors
    /// They cannot be built, or not all that is required; the plan must not run.
    pub fn raise(&self, plan: &ExecPlan, containment: &Containment, root: &Root) -> Result<Raised, FloorFault> {
        let kernel = self.kernel()?;
        if containment.required {
            required(&kernel)?;
        }
        let own = place::session(&self.state_dir, self.uid, &self.session)?;
        let workspace = root.workspace();
        let mut walls = Walls {
            writable: vec![workspace.to_owned()],
            pinned: Vec::new(),
            fixed: Vec::new(),
            private: own.instead(),
            shown: self.seen(plan),
            overlays: Vec::new(),
            hidden: containment
                .hidden
                .iter()
                .filter_map(|path| path.canonicalize().ok())
                .collect(),
            empty: Some((own.empty_file.clone(), own.empty_directory.clone())),
            network: containment.network,
            cwd: plan.cwd.clone(),
        };
        let outside = containment.writable.iter().filter_map(|path| path.canonicalize().ok());
        walls.writable.extend(outside);
        if let Some(repository) = repository(workspace) {
            repository.wall_in(&mut walls);
        }
        let mut env = Vec::new();
        let cached = cache::Need {
            home: self.home.as_deref(),
            state_dir: &self.state_dir,
            uid: self.uid,
            workspace,
            plan,
            mounts: kernel.mounts(),
        };
        cached.provide(containment.caches, &mut walls, &mut env)?;
        let inside = |path: &Path, walls: &Walls| walls.writable.iter().any(|place| path.starts_with(place));
        for path in root.protected_paths() {
            if inside(path, &walls) && path.exists() && !walls.fixed.contains(path) {
                walls.fixed.push(path.clone());
            }
        }
        let given = plan.env.get("TMPDIR").map(PathBuf::from);
        if kernel.mounts() {
            if given.is_some_and(|dir| !inside(&dir, &walls)) {
                env.push(("TMPDIR".to_owned(), "/tmp".to_owned()));
            }
        } else {
            env.push(("TMPDIR".to_owned(), own.tmp.display().to_string()));
        }
        let mut writable = walls.writable.clone();
        writable.extend(walls.private.iter().map(|(_, place)| place.clone()));
        Ok(Raised {
            walls: Arc::new(walls.prepare(kernel)?),
            env,
            writable,
        })
    }

    /// Who looks after this session's workspace.
    pub fn guard(&self, root: &Root) -> Guard {
        Guard::new(self.state_dir.clone(), self.uid, self.session.clone(), root)
    }

    /// What this machine can enforce.
    ///
    /// # Errors
    /// No process can be started to find out.
    pub fn kernel(&self) -> Result<Kernel, FloorFault> {
        if let Some(kernel) = self.kernel.get() {
            return Ok(*kernel);
        }
        let kernel = place::kernel(&self.state_dir, self.uid)?;
        Ok(*self.kernel.get_or_init(|| kernel))
    }

    /// Places outside the workspace that a command finds its way to: programs, and what its environment names.
    fn seen(&self, plan: &ExecPlan) -> Vec<PathBuf> {
        let programs = plan.pinned.iter().map(|program| program.path.clone());
        let path = plan.env.get("PATH").into_iter().flat_map(|path| path.split(':'));
        let values = plan.env.values().map(String::as_str);
        let named = path
            .chain(values)
            .filter(|value| value.starts_with("/tmp/") || value.starts_with("/var/tmp/"))
            .map(PathBuf::from)
            .filter(|path| path.exists());
        programs.chain(self.home.clone()).chain(named).collect()
    }
}

/// What `require` asks for: both walls.
fn required(kernel: &Kernel) -> Result<(), FloorFault> {
    let why = if kernel.landlock < 3 {
        Some("this kernel has no rules for files (Landlock, version 3 or later)".to_owned())
    } else {
        kernel.why_no_mounts()
    };
    match why {
        None => Ok(()),
        Some(why) => Err(FloorFault::Lacks(format!(
            "`tools.exec.floor: require` cannot be met here: {why}; `toolctl sandbox probe` says more. With `floor: auto` \
             commands run contained as far as this system can"
        ))),
    }
}
