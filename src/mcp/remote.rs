//! A server over streamable HTTP (`mcp.servers.<name>.url`): every message is a request of its own, answered by JSON or by a
//! stream of events.

use super::McpFault;
use crate::process::Interrupts;
use crate::web::{Remote, Response, WebFault, apart};
use serde_json::{Map, Value, json};
use std::io::{BufReader, Read as _};
use std::time::{Duration, Instant};

/// The revision that is asked for.
const VERSION: &str = "2025-06-18";
/// Revisions that are spoken.
const SPOKEN: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];
/// Bytes of one answer.
const MESSAGE: u64 = 16 << 20;
/// Pages of tools that are asked for.
const PAGES: usize = 100;
/// Bytes of stack for reading an answer.
const STACK: usize = 8 << 20;
/// How long a server may take to hear that a session has ended.
const END: Duration = Duration::from_secs(1);
/// What a client answers to a request that it does not know (JSON-RPC).
const NO_METHOD: i64 = -32601;

/// A session with a server.
#[derive(Debug)]
pub(super) struct RemoteSession {
    link: Link,
    next: u64,
}

/// Where messages go, and what they carry.
#[derive(Debug, Clone)]
struct Link {
    remote: Remote,
    session: Option<String>,
    version: String,
}

/// What an answer may hold: the result of a request, or what the server says against it.
type Reply = Result<Value, String>;

impl RemoteSession {
    /// Begins a session.
    ///
    /// # Errors
    /// The server cannot be reached, or does not speak the protocol.
    pub(super) fn open(remote: Remote, limit: Duration, interrupts: &Interrupts) -> Result<Self, McpFault> {
        let link = Link {
            remote,
            session: None,
            version: VERSION.to_owned(),
        };
        let mut own = Self { link, next: 0 };
        let params = json!({
            "protocolVersion": VERSION, "capabilities": {},
            "clientInfo": {"name": "toolctl", "version": env!("CARGO_PKG_VERSION")},
        });
        let (answer, session) = own.ask("initialize", &params, limit, interrupts)?;
        let version = answer
            .get("protocolVersion")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if !SPOKEN.contains(&version) {
            let version = crate::model::trim(version);
            return Err(McpFault::Protocol(format!(
                "it speaks the revision `{version}`, which is not known"
            )));
        }
        own.link.version = version.to_owned();
        own.link.session = session;
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let link = own.link.clone();
        aside(limit, &|| interrupts.ended(), move |until| link.tell(&ready, until))?;
        Ok(own)
    }

    /// The tools that the server lists, as it writes them.
    ///
    /// # Errors
    /// It does not answer.
    pub(super) fn tools(&mut self, limit: Duration, interrupts: &Interrupts) -> Result<Vec<Value>, McpFault> {
        let mut tools = Vec::new();
        let mut params = json!({});
        for _ in 0..PAGES {
            let (mut page, _) = self.ask("tools/list", &params, limit, interrupts)?;
            match page.get_mut("tools").map(Value::take) {
                Some(Value::Array(more)) => tools.extend(more),
                _ => return Err(McpFault::Protocol("its list of tools is no list".to_owned())),
            }
            match page.get("nextCursor").and_then(Value::as_str) {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => break,
            }
        }
        Ok(tools)
    }

    /// The result of a call, as the server writes it.
    ///
    /// # Errors
    /// It does not answer, or refuses the call.
    pub(super) fn call(
        &mut self,
        tool: &str,
        args: &Map<String, Value>,
        limit: Duration,
        interrupts: &Interrupts,
    ) -> Result<Value, McpFault> {
        let params = json!({"name": tool, "arguments": args});
        Ok(self.ask("tools/call", &params, limit, interrupts)?.0)
    }

    /// The answer to a request, and the session that it names.
    fn ask(
        &mut self,
        method: &str,
        params: &Value,
        limit: Duration,
        interrupts: &Interrupts,
    ) -> Result<(Value, Option<String>), McpFault> {
        self.next += 1;
        let id = self.next;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let link = self.link.clone();
        let done = aside(limit, &|| interrupts.ended(), move |until| {
            link.exchange(&message, id, until)
        });
        if matches!(done, Err(McpFault::Cancelled | McpFault::TimedOut(_))) {
            self.cancel(id);
        }
        let (reply, session) = done?;
        Ok((reply.map_err(McpFault::Refused)?, session))
    }

    /// Says that a request is not waited for any more.
    fn cancel(&self, id: u64) {
        let params = json!({"requestId": id, "reason": "it is not waited for any more"});
        let message = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        let link = self.link.clone();
        // Whoever does not hear it ends the request by itself.
        let _ = aside(END, &|| false, move |until| link.tell(&message, until));
    }
}

impl Drop for RemoteSession {
    fn drop(&mut self) {
        if self.link.session.is_some() {
            let link = self.link.clone();
            // The server ends it later by itself.
            let _ = aside(END, &|| false, move |_| {
                link.remote.delete(&link.headers(), END).map_err(fault_of)
            });
        }
    }
}

/// Asks a server on a thread of its own.
fn aside<T: Send + 'static>(
    limit: Duration,
    ended: &dyn Fn() -> bool,
    act: impl FnOnce(Instant) -> Result<T, McpFault> + Send + 'static,
) -> Result<T, McpFault> {
    let done = apart(limit, STACK, ended, act);
    done.unwrap_or_else(|fault| Err(fault_of(fault)))
        .map_err(|fault| match fault {
            McpFault::TimedOut(_) => McpFault::TimedOut(limit.as_secs()),
            fault => fault,
        })
}

/// What went wrong on the way to a server.
fn fault_of(fault: WebFault) -> McpFault {
    match fault {
        WebFault::TimedOut => McpFault::TimedOut(0),
        WebFault::Cancelled => McpFault::Cancelled,
        fault => McpFault::Unreachable(fault.to_string()),
    }
}

impl Link {
    fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = vec![("MCP-Protocol-Version", self.version.clone())];
        headers.extend(self.session.clone().map(|session| ("Mcp-Session-Id", session)));
        headers
    }

    fn post(&self, message: &Value, until: Instant) -> Result<Response, McpFault> {
        let left = until.saturating_duration_since(Instant::now());
        let sent = self.remote.post(&self.headers(), message.to_string().as_bytes(), left);
        let answer = sent.map_err(fault_of)?;
        match answer.status().as_u16() {
            200..=299 => Ok(answer),
            status @ (401 | 403) => Err(McpFault::Unreachable(format!(
                "it asks who calls (HTTP {status}); set its `headers`, such as `Authorization`"
            ))),
            404 if self.session.is_some() => {
                Err(McpFault::Unreachable("it has ended the session (HTTP 404)".to_owned()))
            }
            status @ 300..=399 => Err(McpFault::Unreachable(format!(
                "it redirects (HTTP {status}), and redirects are not followed; set its `url` to where it is"
            ))),
            status => Err(McpFault::Unreachable(format!("it answers with HTTP {status}"))),
        }
    }

    /// Sends what is not answered.
    fn tell(&self, message: &Value, until: Instant) -> Result<(), McpFault> {
        self.post(message, until).map(|_| ())
    }

    /// Sends a request, and reads until its answer has come.
    fn exchange(&self, message: &Value, id: u64, until: Instant) -> Result<(Reply, Option<String>), McpFault> {
        let mut answer = self.post(message, until)?;
        let header = |name: &str| {
            let value = answer.headers().get(name).and_then(|value| value.to_str().ok());
            value.map(str::to_owned)
        };
        let session = header("mcp-session-id");
        let declared = header("content-type").unwrap_or_default().to_ascii_lowercase();
        let kind = declared.split(';').next().unwrap_or_default().trim().to_owned();
        let body = BufReader::new(answer.body_mut().as_reader().take(MESSAGE + 1));
        let reply = match kind.as_str() {
            "application/json" => Self::whole(body, id, until)?,
            "text/event-stream" => self.events(body, id, until)?,
            other => {
                let other = crate::path::visible(other, 80);
                return Err(McpFault::Protocol(format!(
                    "its answer is `{other}`, and neither JSON nor a stream of events"
                )));
            }
        };
        Ok((reply, session))
    }

    fn whole(mut body: impl std::io::Read, id: u64, until: Instant) -> Result<Reply, McpFault> {
        let mut bytes = Vec::new();
        body.read_to_end(&mut bytes).map_err(|error| broken(&error, until))?;
        if bytes.len() as u64 > MESSAGE {
            return Err(too_long());
        }
        let message: Value =
            serde_json::from_slice(&bytes).map_err(|_| McpFault::Protocol("its answer is no JSON".to_owned()))?;
        reply_to(&message, id).ok_or_else(|| McpFault::Protocol("it answers another request".to_owned()))
    }

    /// Reads events until the one that answers the request. The server's own requests are answered: there is nobody to ask.
    fn events(&self, mut body: impl std::io::BufRead, id: u64, until: Instant) -> Result<Reply, McpFault> {
        let mut data = String::new();
        let mut read = 0_u64;
        loop {
            let mut line = Vec::new();
            let count = body
                .read_until(b'\n', &mut line)
                .map_err(|error| broken(&error, until))?;
            read += count as u64;
            if read > MESSAGE {
                return Err(too_long());
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_end_matches(['\n', '\r']);
            if let Some(part) = text.strip_prefix("data:") {
                if !data.is_empty() {
                    data.push('\n');
                }
                data.push_str(part.strip_prefix(' ').unwrap_or(part));
            }
            if (text.is_empty() || count == 0) && !data.is_empty() {
                let message: Value = serde_json::from_str(&std::mem::take(&mut data))
                    .map_err(|_| McpFault::Protocol("one of its events is no JSON".to_owned()))?;
                if let Some(reply) = reply_to(&message, id) {
                    return Ok(reply);
                }
                if let Some(answer) = answer_to(&message) {
                    self.tell(&answer, until)?;
                }
            }
            if count == 0 {
                return Err(McpFault::Unreachable(
                    "it ended the stream before it answered".to_owned(),
                ));
            }
        }
    }
}

fn broken(error: &std::io::Error, until: Instant) -> McpFault {
    if Instant::now() >= until {
        return McpFault::TimedOut(0);
    }
    McpFault::Unreachable(format!("its answer breaks off: {error}"))
}

fn too_long() -> McpFault {
    McpFault::Protocol(format!("its answer has more than {} MiB", MESSAGE >> 20))
}

/// What a message says to a request, where it is its answer.
fn reply_to(message: &Value, id: u64) -> Option<Reply> {
    if message.get("method").is_some() || message.get("id").and_then(Value::as_u64) != Some(id) {
        return None;
    }
    if let Some(error) = message.get("error") {
        let text = error.get("message").and_then(Value::as_str).unwrap_or("no message");
        let code = error.get("code").and_then(Value::as_i64).unwrap_or_default();
        return Some(Err(format!("{text} ({code})")));
    }
    message.get("result").cloned().map(Ok)
}

/// The answer to a request of the server's.
fn answer_to(message: &Value) -> Option<Value> {
    let (id, method) = (message.get("id")?, message.get("method")?);
    Some(if method == "ping" {
        json!({"jsonrpc": "2.0", "id": id, "result": {}})
    } else {
        let error = json!({"code": NO_METHOD, "message": "this client takes no such request"});
        json!({"jsonrpc": "2.0", "id": id, "error": error})
    })
}
