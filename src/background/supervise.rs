//! The life of the process that runs a command in the background: it follows the command, writes its output down, answers
//! requests, notes the end, and clears up when nobody needs it any more.

use super::log::Log;
use super::record::{BackgroundEnd, How};
use super::shelf::{Begun, KEPT, now_ms};
use super::wire::{self, Answer, LINE, Look, Request, Secret};
use crate::process::{
    CursorKeys, End, Ended, Interrupts, Limits, Progress, Sink, Stop, Stream as Output, end_orphans, follow,
    reap_orphans,
};
use crate::result::redact::Stream;
use crate::result::sanitise::{Decoder, clean};
use crate::result::{Kind, Redactor};
use crate::state::StateFault;
use crate::text::base64;
use nix::sys::signal::Signal;
use rustix::event::{PollFd, PollFlags, poll};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Between two looks for orphans that have ended.
const ROUND: Duration = Duration::from_secs(30);
/// Connections at the same time.
const MOST_CLIENTS: usize = 64;
/// Bytes of the line with which a secret must have come.
const MOST_OF_SECRET: usize = 256;
/// Bytes that wait for a reader who does not read; then it is left behind.
const MOST_WAITING: usize = 4 << 20;
/// How long what a command left running may take to end.
const LEFT: Duration = Duration::from_millis(500);

/// A command that can be served.
pub trait Served: Progress {
    /// Adds to what it reads.
    fn input(&mut self, bytes: &[u8]);

    /// Gives its terminal a size.
    fn resize(&mut self, columns: u16, rows: u16);

    /// What cursor keys send in its terminal.
    fn cursor_keys(&self) -> Option<CursorKeys>;

    /// Whether its first program waits, in one of these directories, for a line that comes to it alone and as it is sent.
    fn awaits_line(&self, places: &[PathBuf]) -> bool;

    /// A line is sent next: nothing else comes before it or with it. From now on its terminal answers no questions: an
    /// answer is input, too.
    ///
    /// # Errors
    /// It has no terminal, or the system refuses.
    fn begin_line(&mut self) -> io::Result<()>;

    /// Sets right what it has left behind; what that was, for people.
    fn settle(&mut self) -> Vec<String>;
}

/// Follows one command in the background.
#[derive(Debug)]
pub struct Supervisor<'a> {
    begun: Begun,
    tape: Tape<'a>,
    desk: Desk,
    ears: Ears,
}

/// What is known of what it was told.
#[derive(Debug, Clone)]
struct Ears {
    /// Whether a person allowed whatever is sent to it.
    approved: bool,
    /// What a shell was told, where each line was judged and nothing else came.
    told: Option<Told>,
}

/// The lines that a shell was told.
#[derive(Debug, Clone)]
struct Told {
    /// All of them.
    lines: String,
    /// The directories in which it may be after them.
    leads: Vec<PathBuf>,
}

/// Its output, on its way to the disk and to who is attached.
#[derive(Debug)]
struct Tape<'a> {
    decoder: Decoder,
    redactor: &'a Redactor,
    stream: Stream<'a>,
    log: Log,
    /// Since the last round, for who is attached; kept only where somebody is.
    fresh: Option<Vec<u8>>,
    fault: Option<StateFault>,
}

#[derive(Debug)]
struct Desk {
    listener: UnixListener,
    secret: Secret,
    clients: Vec<Client>,
}

#[derive(Debug)]
struct Client {
    socket: UnixStream,
    inbox: Vec<u8>,
    outbox: VecDeque<u8>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It has not said the secret yet.
    Unknown,
    /// It has not asked yet.
    Fresh,
    /// It is told when the command ends, or then.
    Waiting(Instant),
    /// It sees and writes.
    Attached,
    /// It goes when it has read its answer.
    Leaving,
    /// It is gone.
    Gone,
}

/// What a round of requests asks for.
#[derive(Debug, Default)]
struct Wishes {
    input: Vec<u8>,
    last: bool,
    /// What the shell was told when it was told `input`; none where nobody judged that.
    told: Option<Told>,
    approve: bool,
    size: Option<(u16, u16)>,
    kill: bool,
    forget: bool,
}

impl<'a> Supervisor<'a> {
    /// Begins to serve; what came out so far is `before`.
    ///
    /// # Errors
    /// The log or the socket cannot be made.
    pub fn new(begun: Begun, redactor: &'a Redactor, before: &[u8]) -> Result<Self, StateFault> {
        let (listener, secret) =
            wire::listen(&begun.store).map_err(|e| StateFault::io(begun.path(), "listen for requests", e))?;
        let log = Log::of(&begun.store)?;
        let mut tape = Tape {
            decoder: Decoder::default(),
            redactor,
            stream: redactor.stream(),
            log,
            fresh: None,
            fault: None,
        };
        tape.take(Output::Stdout, before);
        let record = &begun.record;
        let ears = Ears {
            approved: record.input_seen,
            told: record.reads_lines.as_ref().filter(|_| record.terminal).map(|_| Told {
                lines: String::new(),
                leads: vec![PathBuf::from(&record.cwd)],
            }),
        };
        Ok(Self {
            begun,
            tape,
            ears,
            desk: Desk {
                listener,
                secret,
                clients: Vec::new(),
            },
        })
    }

    /// Its output so far.
    pub fn so_far(&self) -> String {
        let kept = self.tape.log.since(0, 1 << 16).unwrap_or_default();
        let partial = self.tape.stream.peek();
        kept.text + &clean(&partial, Kind::Command).text
    }

    /// Follows the command to its end, and serves until it is forgotten.
    pub fn live(mut self, run: &mut dyn Served, limits: &Limits, interrupts: &Interrupts) {
        let forgotten = self.follow(run, limits, interrupts);
        if !forgotten {
            // What has ended the command does not end the time in which it can be looked at.
            interrupts.begin_anew();
            self.stay(interrupts);
        }
        // Whoever looks at it later throws it away as well.
        let _ = self.begun.throw_away();
    }

    /// Whether it is to be forgotten at once.
    fn follow(&mut self, run: &mut dyn Served, limits: &Limits, interrupts: &Interrupts) -> bool {
        let mut stop: Option<Stop> = None;
        let mut forgotten = false;
        let how = loop {
            let next = Instant::now() + ROUND;
            let next = self.desk.due().map_or(next, |due| due.min(next));
            let wake = self.desk.descriptors();
            match follow(
                &mut Base(run),
                limits,
                interrupts,
                (&wake, Some(next)),
                &mut stop,
                &mut self.tape,
            ) {
                Ok(Some(ended)) => break Ok(ended),
                Ok(None) => {}
                Err(error) => break Err(error),
            }
            drop(wake);
            let mut look = self.look(false, run.cursor_keys());
            look.waits = self.ears.told.as_ref().is_some_and(|told| run.awaits_line(&told.leads));
            let mut wishes = self.desk.serve(&look);
            self.show();
            self.ears.approved |= wishes.approve;
            if !wishes.input.is_empty() || wishes.last {
                let alone = wishes.told.is_none() || run.begin_line().is_ok();
                self.ears.told = wishes.told.filter(|_| alone);
                if !alone {
                    // What a line would come behind is not known, so it does not come; its caller sees no output of it.
                    wishes.input.clear();
                }
            }
            run.input(&wishes.input);
            if wishes.last {
                // What a terminal takes for the end.
                run.input(&[0x04]);
            }
            if let Some((columns, rows)) = wishes.size {
                run.resize(columns, rows);
            }
            // Whom nobody can reach any more nobody can end.
            forgotten |= wishes.forget || !self.begun.path().exists();
            if (wishes.kill || forgotten) && stop.is_none() {
                let end = End::Signaled(Signal::SIGTERM as i32);
                stop = Some(Stop::begin(&mut Base(run), end, limits.grace));
            }
            reap_orphans();
        };
        end_orphans(LEFT);
        let mut notes = run.settle();
        self.tape.finish();
        if let Some(fault) = &self.tape.fault {
            notes.push(format!("a part of its output is missing: {fault}"));
        }
        if let Err(error) = &how {
            notes.push(format!("it could not be followed to its end: {error}"));
        }
        let end = end(how.as_ref().ok(), notes);
        // Without this it is taken for lost, which is what it is then.
        let _ = self.begun.end(&end);
        self.show();
        let look = self.look(true, None);
        self.desk.tell(&look);
        forgotten
    }

    /// Is there for whoever asks, until nobody needs it any more.
    fn stay(&mut self, interrupts: &Interrupts) {
        let until = Instant::now() + KEPT;
        let look = self.look(true, None);
        while Instant::now() < until && self.begun.path().exists() {
            let wake: Vec<BorrowedFd<'_>> = self.desk.descriptors().into_iter().chain(interrupts.ends()).collect();
            let mut fds: Vec<PollFd<'_>> = wake
                .iter()
                .map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN))
                .collect();
            let rest = until.saturating_duration_since(Instant::now()).min(ROUND);
            let timeout = rustix::time::Timespec {
                tv_sec: i64::try_from(rest.as_secs() + 1).unwrap_or(i64::MAX),
                tv_nsec: 0,
            };
            match poll(&mut fds, Some(&timeout)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => return,
            }
            drop((fds, wake));
            if interrupts.ended() {
                return;
            }
            let wishes = self.desk.serve(&look);
            self.desk.tell(&look);
            if wishes.forget {
                return;
            }
        }
    }

    fn look(&self, ended: bool, keys: Option<CursorKeys>) -> Look {
        Look {
            partial: clean(&self.tape.stream.peek(), Kind::Command).text.into_owned(),
            application_keys: keys.map(|keys| keys == CursorKeys::Application),
            approved: self.ears.approved,
            heard: self.ears.told.as_ref().map(|told| told.lines.clone()),
            waits: false,
            ended,
        }
    }

    /// Hands on what came out to who is attached.
    fn show(&mut self) {
        let attached = self.desk.clients.iter().any(|client| client.state == State::Attached);
        let fresh = std::mem::replace(&mut self.tape.fresh, attached.then(Vec::new));
        for client in self.desk.clients.iter_mut().filter(|c| c.state == State::Attached) {
            client.outbox.extend(fresh.iter().flatten());
            client.write();
        }
    }
}

/// The end, as it is written down.
fn end(ended: Option<&Ended>, notes: Vec<String>) -> BackgroundEnd {
    let how = match ended.map(|ended| ended.end) {
        Some(End::Exited(status)) => How::Exited(status),
        Some(End::Signaled(signal)) => How::Signaled(signal),
        Some(End::TimedOut | End::Cancelled) => How::Signaled(Signal::SIGTERM as i32),
        None => How::Lost,
    };
    BackgroundEnd {
        how,
        timed_out: ended.is_some_and(|ended| ended.end == End::TimedOut),
        ended_at_ms: now_ms(),
        notes,
    }
}

/// The part of a served command that every command has.
struct Base<'r>(&'r mut dyn Served);

impl Progress for Base<'_> {
    fn advance(
        &mut self,
        wake: &[BorrowedFd<'_>],
        until: Option<Instant>,
        sink: &mut dyn Sink,
    ) -> io::Result<Option<Ended>> {
        self.0.advance(wake, until, sink)
    }

    fn stop(&mut self, signal: Signal) {
        self.0.stop(signal);
    }
}

impl Sink for Tape<'_> {
    fn take(&mut self, _: Output, bytes: &[u8]) {
        if let Some(fresh) = &mut self.fresh {
            fresh.extend_from_slice(bytes);
        }
        let text = self.decoder.push(bytes);
        let (log, fault) = (&mut self.log, &mut self.fault);
        self.stream.push(&text, &mut |ready| put(log, fault, ready));
    }
}

impl Tape<'_> {
    /// Writes down what was held back.
    fn finish(&mut self) {
        let rest = std::mem::take(&mut self.decoder).finish();
        let stream = std::mem::replace(&mut self.stream, self.redactor.stream());
        let (log, fault) = (&mut self.log, &mut self.fault);
        let mut stream = stream;
        stream.push(&rest, &mut |ready| put(log, fault, ready));
        stream.finish(&mut |ready| put(log, fault, ready));
        if let Err(error) = self.log.flush() {
            self.fault.get_or_insert(error);
        }
    }
}

fn put(log: &mut Log, fault: &mut Option<StateFault>, text: &str) {
    if let Err(error) = log.append(&clean(text, Kind::Command).text) {
        fault.get_or_insert(error);
    }
}

impl Desk {
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        let clients = self.clients.iter().map(|client| client.socket.as_fd());
        std::iter::once(self.listener.as_fd()).chain(clients).collect()
    }

    /// When the next who waits is told.
    fn due(&self) -> Option<Instant> {
        let due = self.clients.iter().filter_map(|client| match client.state {
            State::Waiting(until) => Some(until),
            State::Unknown | State::Fresh | State::Attached | State::Leaving | State::Gone => None,
        });
        due.min()
    }

    /// Lets in who knocks, reads what they ask, and answers what can be answered at once.
    fn serve(&mut self, look: &Look) -> Wishes {
        while let Ok((socket, _)) = self.listener.accept() {
            if self.clients.len() < MOST_CLIENTS && socket.set_nonblocking(true).is_ok() {
                let mut client = Client {
                    socket,
                    inbox: Vec::new(),
                    outbox: VecDeque::new(),
                    state: State::Unknown,
                };
                if let Err(why) = wire::may_ask(&client.socket) {
                    client.answer(&Answer::Refused(why));
                }
                self.clients.push(client);
            }
        }
        let mut wishes = Wishes::default();
        let now = Instant::now();
        for client in &mut self.clients {
            client.read();
            client.hear_secret(&self.secret);
            while let Some(request) = client.next() {
                client.take(request, look, now, &mut wishes);
            }
            if matches!(client.state, State::Waiting(until) if until <= now) {
                client.answer(&Answer::Look(look.clone()));
            }
            client.write();
        }
        self.clients.retain(|client| client.state != State::Gone);
        wishes
    }

    /// Tells everybody who waits that it has ended.
    fn tell(&mut self, look: &Look) {
        for client in &mut self.clients {
            match client.state {
                State::Waiting(_) => client.answer(&Answer::Look(look.clone())),
                State::Attached => client.state = State::Leaving,
                State::Unknown | State::Fresh | State::Leaving | State::Gone => {}
            }
            client.write();
        }
        self.clients.retain(|client| client.state != State::Gone);
    }
}

impl Client {
    fn read(&mut self) {
        let mut buffer = [0; 16 * 1024];
        while self.state != State::Gone && self.inbox.len() < LINE {
            match self.socket.read(&mut buffer) {
                Ok(0) => self.state = State::Gone,
                Ok(count) => self.inbox.extend_from_slice(buffer.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.state = State::Gone,
            }
        }
    }

    /// The next line that is there as a whole.
    fn line(&mut self, most: usize) -> Option<Vec<u8>> {
        let end = memchr::memchr(b'\n', &self.inbox);
        if end.is_none() && self.inbox.len() >= most {
            self.state = State::Gone;
        }
        end.map(|end| self.inbox.drain(..=end).collect())
    }

    /// Hears the secret, if it has been said; who does not know it is answered nothing else.
    fn hear_secret(&mut self, secret: &Secret) {
        if self.state != State::Unknown {
            return;
        }
        let Some(line) = self.line(MOST_OF_SECRET) else { return };
        if secret.is(line.trim_ascii_end()) {
            self.state = State::Fresh;
        } else {
            self.answer(&Answer::Refused("whoever asks does not know its secret".to_owned()));
        }
    }

    /// The next request that is there as a whole.
    fn next(&mut self) -> Option<Request> {
        if !matches!(self.state, State::Fresh | State::Attached) {
            return None;
        }
        let line = self.line(LINE)?;
        let request = serde_json::from_slice(&line).ok();
        if request.is_none() {
            self.state = State::Gone;
        }
        request
    }

    fn take(&mut self, request: Request, look: &Look, now: Instant, wishes: &mut Wishes) {
        match request {
            Request::Look(millis) if millis > 0 && !look.ended => {
                self.state = State::Waiting(now + Duration::from_millis(millis.min(120_000)));
            }
            Request::Look(_) => self.answer(&Answer::Look(look.clone())),
            Request::Input(..) | Request::Line(..) | Request::Kill | Request::Attach(..) if look.ended => {
                self.answer(&Answer::Refused("it has ended".to_owned()));
            }
            Request::Input(data, last) => {
                let bytes = base64::decode(data.as_bytes()).unwrap_or_default();
                wishes.input.extend(bytes);
                wishes.last |= last;
                wishes.told = None;
                if self.state == State::Fresh {
                    self.answer(&Answer::Done);
                }
            }
            Request::Line(data, after, leads) => {
                let line = base64::decode(data.as_bytes()).and_then(|line| String::from_utf8(line).ok());
                let now = look.heard.as_ref().filter(|heard| **heard == after && look.waits);
                let (Some(line), Some(heard), true) = (line, now, wishes.input.is_empty()) else {
                    let why = "the shell is not where it was when the line was judged; make the call again";
                    return self.answer(&Answer::Refused(why.to_owned()));
                };
                wishes.told = Some(Told {
                    lines: format!("{heard}{}\n", line.trim_end_matches(['\r', '\n'])),
                    leads,
                });
                wishes.input.extend(line.into_bytes());
                self.answer(&Answer::Done);
            }
            Request::Approve => {
                wishes.approve = true;
                self.answer(&Answer::Done);
            }
            Request::Kill => {
                wishes.kill = true;
                self.answer(&Answer::Done);
            }
            Request::Forget => {
                wishes.forget = true;
                self.answer(&Answer::Done);
            }
            Request::Attach(columns, rows) => {
                self.state = State::Attached;
                wishes.size = Some((columns, rows));
            }
            Request::Resize(columns, rows) => wishes.size = Some((columns, rows)),
        }
    }

    fn answer(&mut self, answer: &Answer) {
        if let Ok(mut line) = serde_json::to_vec(answer) {
            line.push(b'\n');
            self.outbox.extend(line);
        }
        self.state = State::Leaving;
    }

    /// Writes what the socket takes.
    fn write(&mut self) {
        while !self.outbox.is_empty() && self.state != State::Gone {
            let (front, _) = self.outbox.as_slices();
            match self.socket.write(front) {
                Ok(count) => {
                    self.outbox.drain(..count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if self.outbox.len() > MOST_WAITING {
                        self.state = State::Gone;
                    }
                    return;
                }
                Err(_) => self.state = State::Gone,
            }
        }
        if self.state == State::Leaving {
            self.state = State::Gone;
        }
    }
}
