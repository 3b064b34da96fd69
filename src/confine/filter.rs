//! The filter of system calls: what a contained program has no use for, and what would lead it round the other walls.

use super::sys::Instruction;
use crate::model::Network;
use nix::libc;

/// What the filter is asked to keep shut besides its fixed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Whether processes outside may be traced: they may not where nothing else keeps them apart.
    pub(super) tracing: bool,
    /// Whether the network is shut, and by whom.
    pub(super) network: Shut,
}

/// Who shuts the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shut {
    /// Nobody.
    Open,
    /// A namespace without devices; the filter shuts the families that it does not cover.
    Namespace,
    /// The filter alone.
    Filter,
}

impl Shut {
    pub(super) fn new(network: Network, namespaces: bool) -> Self {
        match (network, namespaces) {
            (Network::Host, _) => Self::Open,
            (Network::None, true) => Self::Namespace,
            (Network::None, false) => Self::Filter,
        }
    }
}

/// Refused whatever its arguments.
const NEVER: &[libc::c_long] = &[
    // Mounts.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // Namespaces and roots.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_chroot,
    // Ways round this filter and the rules about files.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_open_by_handle_at,
    // The kernel's own insides.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
];

/// Reaches into another process; Landlock keeps those outside apart where there is Landlock.
const TRACING: &[libc::c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_process_madvise,
];

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

const LOAD: u16 = 0x20;
const AND: u16 = 0x54;
const EQUAL: u16 = 0x15;
const AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;

const ALLOW: u32 = 0x7fff_0000;
const KILL: u32 = 0x8000_0000;
const FAIL: u32 = 0x0005_0000;

const NUMBER: u32 = 0;
const ARCH: u32 = 4;
/// Where the low half of an argument is, in a little-endian machine.
const fn argument(index: u32) -> u32 {
    16 + 8 * index
}

const fn plain(code: u16, k: u32) -> Instruction {
    Instruction { code, jt: 0, jf: 0, k }
}

const fn fail(errno: i32) -> Instruction {
    plain(RETURN, FAIL | (errno.cast_unsigned() & 0xffff))
}

/// `CLONE_NEW*`, all of them that `clone` takes.
const NEW_NAMESPACE: u32 = 0x7e02_0000;

/// The program. Its verdicts: allowed, EPERM, ENOSYS for calls whose arguments cannot be seen and that have an older form.
pub(super) fn program(wanted: Wanted) -> Vec<Instruction> {
    let mut list = Vec::with_capacity(160);
    // Calls by another convention have other numbers.
    list.push(plain(LOAD, ARCH));
    list.push(Instruction {
        code: EQUAL,
        jt: 1,
        jf: 0,
        k: ARCHITECTURE,
    });
    list.push(plain(RETURN, KILL));
    list.push(plain(LOAD, NUMBER));
    if cfg!(target_arch = "x86_64") {
        // The convention with 32-bit pointers shares the architecture and sets this bit.
        list.push(Instruction {
            code: AT_LEAST,
            jt: 0,
            jf: 1,
            k: 0x4000_0000,
        });
        list.push(fail(libc::ENOSYS));
    }
    let tracing = if wanted.tracing { &[][..] } else { TRACING };
    for call in NEVER.iter().chain(tracing) {
        refuse(&mut list, *call, libc::EPERM);
    }
    refuse(&mut list, libc::SYS_clone3, libc::ENOSYS);
    // A new namespace.
    when(
        &mut list,
        libc::SYS_clone,
        &[
            plain(LOAD, argument(0)),
            plain(AND, NEW_NAMESPACE),
            Instruction {
                code: EQUAL,
                jt: 1,
                jf: 0,
                k: 0,
            },
            fail(libc::EPERM),
            plain(RETURN, ALLOW),
        ],
    );
    // Keystrokes for the terminal, and its kernel menus.
    when(
        &mut list,
        libc::SYS_ioctl,
        &[
            plain(LOAD, argument(1)),
            Instruction {
                code: EQUAL,
                jt: 1,
                jf: 0,
                k: 0x5412,
            },
            Instruction {
                code: EQUAL,
                jt: 0,
                jf: 1,
                k: 0x541c,
            },
            fail(libc::EPERM),
            plain(RETURN, ALLOW),
        ],
    );
    // Limits and priorities of others.
    when(
        &mut list,
        libc::SYS_prlimit64,
        &[
            plain(LOAD, argument(0)),
            Instruction {
                code: EQUAL,
                jt: 5,
                jf: 0,
                k: 0,
            },
            // A pointer: both halves tell whether a new limit is given.
            plain(LOAD, argument(2)),
            Instruction {
                code: EQUAL,
                jt: 0,
                jf: 2,
                k: 0,
            },
            plain(LOAD, argument(2) + 4),
            Instruction {
                code: EQUAL,
                jt: 1,
                jf: 0,
                k: 0,
            },
            fail(libc::EPERM),
            plain(RETURN, ALLOW),
        ],
    );
    when(
        &mut list,
        libc::SYS_setpriority,
        &[
            plain(LOAD, argument(1)),
            Instruction {
                code: EQUAL,
                jt: 1,
                jf: 0,
                k: 0,
            },
            fail(libc::EPERM),
            plain(RETURN, ALLOW),
        ],
    );
    families(&mut list, wanted.network);
    list.push(plain(RETURN, ALLOW));
    list
}

/// Which kinds of sockets there are where the network is shut.
fn families(list: &mut Vec<Instruction>, network: Shut) {
    // Where there is a namespace, it has a loopback to use.
    let inet = u8::from(network == Shut::Namespace);
    if network == Shut::Open {
        return;
    }
    let equal = |k: libc::c_int, hit: u8| Instruction {
        code: EQUAL,
        jt: hit,
        jf: 0,
        k: k.cast_unsigned(),
    };
    // A socket of the file system leads to a daemon of the machine, which has the network.
    when(
        list,
        libc::SYS_socket,
        &[
            plain(LOAD, argument(0)),
            equal(libc::AF_NETLINK, 3),
            equal(libc::AF_INET, 2 * inet),
            equal(libc::AF_INET6, inet),
            fail(libc::EPERM),
            plain(RETURN, ALLOW),
        ],
    );
    // Of a pair, one that takes datagrams could be connected anew.
    when(
        list,
        libc::SYS_socketpair,
        &[
            plain(LOAD, argument(1)),
            plain(AND, 0xf),
            equal(libc::SOCK_DGRAM, 1),
            plain(RETURN, ALLOW),
            fail(libc::EPERM),
        ],
    );
}

fn refuse(list: &mut Vec<Instruction>, call: libc::c_long, errno: i32) {
    when(list, call, &[fail(errno)]);
}

/// These instructions for one call; they end with a verdict.
fn when(list: &mut Vec<Instruction>, call: libc::c_long, then: &[Instruction]) {
    let (Ok(k), Ok(skip)) = (u32::try_from(call), u8::try_from(then.len())) else {
        return;
    };
    list.push(Instruction {
        code: EQUAL,
        jt: 0,
        jf: skip,
        k,
    });
    list.extend_from_slice(then);
}
