#!/bin/bash
. "$(dirname "$0")/../lib.sh"
crate() {
	printf '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n' | put Cargo.toml
	put src/lib.rs
}
run='cargo test --offline --color never'
begin compile
printf 'pub fn total(items: &[i32]) -> i32 {\n    let sum: String = 3;\n    items.iter().sum::<i32>() + missing\n}\n' | crate
fin "$run"
begin panic
crate <<'E'
pub fn first(items: &[i32]) -> i32 {
    items[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_first() {
        assert_eq!(first(&[1, 2]), 2);
    }

    #[test]
    fn empty() {
        first(&[]);
    }
}
E
fin "$run"
begin lost-exit panic; fin "$run || true"
begin test-compile panic; sed -i 's/first(&\[1, 2\])/last(\&[1, 2])/' src/lib.rs; fin "$run"
begin no-tests; printf 'pub fn a() {}\n' | crate; fin "$run"
begin pass; printf '#[test]\nfn a() {}\n' | crate; fin "$run"
begin backtrace panic; fin "RUST_BACKTRACE=1 $run --lib empty"
