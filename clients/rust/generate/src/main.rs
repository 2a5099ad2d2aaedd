//! Makes the Rust code of a set of descriptors: `generate DESCRIPTORS FOLDER`. It is called
//! by `clients/generate.py`, so that a bot is built without a compiler of protobuf.
use std::{env, error::Error, fs, path::PathBuf};

use prost::Message;
use prost_types::FileDescriptorSet;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [descriptors, folder] = &paths[..] else {
        return Err("usage: generate DESCRIPTORS FOLDER".into());
    };
    fs::create_dir_all(folder)?;
    tonic_prost_build::configure()
        .build_transport(false)
        // What stands indented in them would be taken for tests.
        .disable_comments(["."])
        .emit_rerun_if_changed(false)
        .out_dir(folder)
        .compile_fds(FileDescriptorSet::decode(&*fs::read(descriptors)?)?)?;
    Ok(())
}
