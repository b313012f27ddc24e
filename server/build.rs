//! The web inside the binary: release builds carry it and are built again when it is; debug
//! builds remember the folder, which must exist by then, and read it at run time.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    std::fs::create_dir_all("../web/dist").expect("web/dist can be made");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed=../web/dist");
    }
}
