use std::{env, fs, process, time::Duration};

use crate::{Error, Settings};

/// Some file.
const OWN: &str = "Cargo.toml";

fn read(arguments: &[&str], environment: &[(&str, &str)]) -> Result<Settings, Error> {
    let arguments = arguments.iter().map(|&word| word.to_owned());
    let environment = environment.iter().map(|&(name, text)| (name.into(), text.into()));
    Settings::read(arguments, environment, Settings::default())
}

#[test]
fn flags_win_over_variables_which_win_over_defaults() {
    let variables = [
        ("OHHELL_BOT_LANE", "1"),
        ("OHHELL_BOT_PATIENCE_S", "7"),
        ("OHHELL_BOT_TOKEN", " a "),
        ("HOME", "/"),
    ];
    let settings = read(&["--lane", "2", "--workers=5"], &variables).unwrap();
    assert_eq!((settings.lane, settings.workers), (2, 5));
    assert_eq!(settings.patience, Duration::from_secs(7));
    assert_eq!(settings.token.as_deref(), Some("a"));
    assert_eq!(settings.address, "127.0.0.1:50051");
    assert_ne!(settings.instance, read(&[], &[]).unwrap().instance);
}

#[test]
fn what_is_wrong_is_named() {
    let of_variables = [
        (
            &[("OHHELL_BOT_LANES", "1")][..],
            "OHHELL_BOT_LANES is not a setting of a bot; did you mean OHHELL_BOT_LANE?",
        ),
        (&[("OHHELL_BOT_WORKERS", "0")], "OHHELL_BOT_WORKERS: \"0\" is not a whole number 1..4096"),
        (
            &[("OHHELL_BOT_TOKEN", "a"), ("OHHELL_BOT_TOKEN_FD", "0")],
            "give the token once, not as OHHELL_BOT_TOKEN and OHHELL_BOT_TOKEN_FD",
        ),
    ];
    let of_flags = [
        (&["--workers", "x"][..], "--workers: \"x\" is not a whole number 1..4096"),
        (&["--lane", "256"], "--lane: \"256\" is not a whole number 0..255"),
        (&["--address", "here"], "--address: \"here\" is not HOST:PORT"),
        (&["--address", "here:0"], "--address: \"here:0\" is not HOST:PORT"),
        (&["--on-error", "cry"], "--on-error: \"cry\" is none of concede, stop"),
        (&["--token", "x"], "unknown argument \"--token\""),
        (&["stray"], "unknown argument \"stray\""),
        (&["--lane"], "--lane needs a value"),
        (&["--instance", " "], "--instance: it is empty"),
        (&["--token-file", "missing"], "--token-file: cannot read from missing: No such file"),
        (&["--token-fd", "987"], "--token-fd: cannot read from 987"),
        (&["--ca-file", "missing"], "--ca-file: there is no file missing"),
        (&["--serve", "0.0.0.0:1"], "give --certificate and --key, or add --expose on"),
        (&["--serve", "0.0.0.0:1", "--key", OWN], "--certificate and --key: give both, or neither"),
        (&["--certificate", OWN], "--certificate and --key: give both, or neither"),
        (&["--key", "missing"], "--key: there is no file missing"),
    ];
    let results = of_variables.iter().map(|(given, says)| (read(&[], given), says));
    for (read, says) in results.chain(of_flags.iter().map(|(given, says)| (read(given, &[]), says)))
    {
        let Err(Error::Settings(message)) = read else {
            panic!("{read:?}, not {says}");
        };
        assert!(message.contains(says), "{message}, not {says}");
    }
}

#[test]
fn a_token_is_read_from_a_file() {
    let path = env::temp_dir().join(format!("token-{}", process::id()));
    fs::write(&path, "secret\n").unwrap();
    let settings = read(&["--token-file", path.to_str().unwrap()], &[]);
    fs::remove_file(&path).unwrap();
    assert_eq!(settings.unwrap().token.as_deref(), Some("secret"));
}

#[test]
fn other_machines_may_call_where_that_is_said() {
    for own in ["127.0.0.1:0", "[::1]:0", "localhost:0"] {
        assert!(read(&["--serve", own], &[]).is_ok());
    }
    for more in [&["--expose", "on"][..], &["--certificate", OWN, "--key", OWN]] {
        assert!(read(&[&["--serve", "0.0.0.0:0"], more].concat(), &[]).is_ok());
    }
}

#[test]
fn a_certificate_for_the_service_turns_encryption_on() {
    let settings = read(&["--certificate", OWN], &[("OHHELL_BOT_KEY", OWN)]).unwrap();
    assert!(settings.tls);
    assert_eq!(settings.certificate, settings.key);
    assert_eq!(settings.key, Some(OWN.into()));
}

#[test]
fn every_failure_has_its_exit_status() {
    let kinds = [Error::Fault, Error::Settings, Error::Refused, Error::GivenUp];
    let statuses = kinds.map(|kind: fn(String) -> Error| kind("x".into()).exit_status());
    assert_eq!(statuses, [1, 2, 2, 3]);
}
