//! A bot process: its settings, its signals, its log and its exit status.
use std::{
    env, io,
    process::{self, ExitCode},
};

use tokio::{
    runtime::Builder,
    signal::unix::{SignalKind, signal},
    sync::watch,
};
use tracing::Level;
use tracing_subscriber::{filter::Targets, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::{Bot, Error, Settings, connect, error::INTERRUPTED, listen};

/// Plays until the service is gone for good or the process is told to stop; gives the
/// status with which `main` ends. With the setting `serve` it waits for calls of the
/// service, as [`serve`] does.
///
/// `new_bot` is called once for every match. Settings come from the program's flags and its
/// environment.
pub fn run<B: Bot>(new_bot: impl Fn() -> B + Send + Sync + 'static) -> ExitCode {
    finish(new_bot, Settings::default())
}

/// As [`run`], but waits to be called: it prints where it listens, and takes one call a
/// lane. Port 0 takes a free one; the address is only the default of its setting, `serve`.
pub fn serve<B: Bot>(new_bot: impl Fn() -> B + Send + Sync + 'static, address: &str) -> ExitCode {
    finish(new_bot, Settings { serve: Some(address.into()), ..Settings::default() })
}

fn finish<B: Bot>(new_bot: impl Fn() -> B + Send + Sync + 'static, base: Settings) -> ExitCode {
    let arguments = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    // What is no text is none of ours.
    let environment = env::vars_os()
        .filter_map(|(name, text)| Some((name.into_string().ok()?, text.into_string().ok()?)));
    let settings = Settings::read(arguments, environment, base);
    match settings.and_then(|settings| played(new_bot, &settings)) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("ohhell_bot: {error}");
            ExitCode::from(&error)
        }
    }
}

fn played<B: Bot>(
    new_bot: impl Fn() -> B + Send + Sync + 'static,
    settings: &Settings,
) -> Result<ExitCode, Error> {
    log_to_stderr(settings.log);
    let failed = |error: io::Error| Error::Settings(format!("cannot begin: {error}"));
    let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        let mut told = signals().map_err(failed)?;
        let mut stopped = told.clone();
        let stop = async move {
            // It can be told for as long as the process lives.
            let _ = stopped.wait_for(Option::is_some).await;
        };
        if settings.serve.is_some() {
            // Whoever started it reads where to call.
            listen(new_bot, settings, stop, |address| println!("serving on {address}")).await?;
        } else {
            connect(new_bot, settings, stop).await?;
        }
        Ok(told.borrow_and_update().unwrap_or_default().into())
    })
}

fn log_to_stderr(level: Level) {
    let lines = fmt::layer().with_writer(io::stderr).with_ansi(false).with_target(false);
    let ours = Targets::new().with_target(env!("CARGO_CRATE_NAME"), level);
    // A program that logs in its own way has said so before.
    let _ = tracing_subscriber::registry().with(lines).with(ours).try_init();
}

/// Tells of SIGTERM or ^C, with the status to end with; a second one ends the process.
fn signals() -> io::Result<watch::Receiver<Option<u8>>> {
    let (tell, told) = watch::channel(None);
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        loop {
            let status = tokio::select! {
                _ = terminate.recv() => 0,
                _ = interrupt.recv() => INTERRUPTED,
            };
            if tell.send_replace(Some(status)).is_some() {
                process::exit(INTERRUPTED.into());
            }
        }
    });
    Ok(told)
}
