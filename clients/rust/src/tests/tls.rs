//! Certificates that a bot shows, to who calls it and to the service that it calls.
use std::{env, fs, future::pending, path::PathBuf, process, time::Duration};

use tonic::{
    Code,
    transport::{Certificate, ClientTlsConfig, Endpoint, Identity, Server, ServerTlsConfig},
};

use super::{
    Lowest,
    service::{Arena, Run, call, call_over, soon},
};
use crate::{Error, Settings, connect, listen, wire::client_frame};

/// Files of a certificate for 127.0.0.1 that vouches for itself, and of its key.
struct Certified {
    certificate: PathBuf,
    key: PathBuf,
}

impl Certified {
    fn new(name: &str) -> Certified {
        let own = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let written = |kind: &str, text: String| {
            let path = env::temp_dir().join(format!("ohhell-{}-{name}-{kind}.pem", process::id()));
            fs::write(&path, text).unwrap();
            path
        };
        Certified {
            certificate: written("certificate", own.cert.pem()),
            key: written("key", own.signing_key.serialize_pem()),
        }
    }

    fn settings(&self) -> Settings {
        Settings {
            certificate: Some(self.certificate.clone()),
            key: Some(self.key.clone()),
            ..Settings::default()
        }
    }
}

impl Drop for Certified {
    fn drop(&mut self) {
        for file in [&self.certificate, &self.key] {
            let _ = fs::remove_file(file);
        }
    }
}

#[tokio::test]
async fn a_bot_with_a_certificate_is_called_by_who_trusts_it() {
    let own = Certified::new("own");
    let (_run, address) = Run::listen(|| Lowest, own.settings()).await;
    let pem = Certificate::from_pem(fs::read(&own.certificate).unwrap());
    let trusting = Endpoint::from_shared(format!("https://{address}"))
        .unwrap()
        .tls_config(ClientTlsConfig::new().ca_certificate(pem))
        .unwrap()
        .connect_lazy();
    let mut first = soon(call_over(trusting, "3")).await.unwrap();
    match first.hear().await.body {
        Some(client_frame::Body::Hello(hello)) => assert_eq!(hello.lane, 3),
        other => panic!("{other:?}"),
    }
    let unencrypted = soon(call(&address, "4")).await.err();
    assert!(unencrypted.is_some_and(|status| status.code() != Code::Ok));
}

#[tokio::test]
async fn a_service_that_wants_a_certificate_is_shown_the_one_of_the_settings() {
    let own = Certified::new("shown");
    let read = |file| fs::read(file).unwrap();
    let pair = Identity::from_pem(read(&own.certificate), read(&own.key));
    let trusted = Certificate::from_pem(read(&own.certificate));
    let demanding = ServerTlsConfig::new().identity(pair).client_ca_root(trusted);
    let server = Server::builder().tls_config(demanding).unwrap();
    let mut arena = Arena::start_with(server).await;
    let settings = Settings {
        address: arena.address.clone(),
        tls: true,
        ca_file: Some(own.certificate.clone()),
        patience: Duration::ZERO,
        ..own.settings()
    };
    let without = Settings { certificate: None, key: None, ..settings.clone() };
    let ended = soon(connect(|| Lowest, &without, pending())).await;
    assert!(matches!(ended, Err(Error::GivenUp(_))), "{ended:?}");
    let _run = Run::connect(|| Lowest, settings);
    match arena.stream().await.hear().await.body {
        Some(client_frame::Body::Hello(hello)) => assert_eq!(hello.lane, 0),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_key_of_another_certificate_is_refused() {
    let (one, another) = (Certified::new("one"), Certified::new("another"));
    let settings = Settings { tls: true, key: Some(another.key.clone()), ..one.settings() };
    for ended in [
        soon(listen(|| Lowest, &settings, pending(), |_| {})).await,
        soon(connect(|| Lowest, &settings, pending())).await,
    ] {
        let Err(Error::Settings(message)) = ended else { panic!("{ended:?}") };
        assert!(message.contains("are no certificate with its key"), "{message}");
    }
}
