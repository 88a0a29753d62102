// Panics, results and drops in loops.
use std::panic::catch_unwind;
pub struct Noisy(pub u32);
impl Drop for Noisy {
    fn drop(&mut self) {
        println!("{}", self.0);
    }
}
#[unsafe(no_mangle)]
pub fn drops(a: &mut [u32]) {
    for (i, x) in a.iter_mut().enumerate() {
        let n = Noisy(i as u32);
        *x = n.0 / (*x);
    }
}
#[unsafe(no_mangle)]
pub fn caught(n: usize) -> usize {
    (0..n).filter(|&i| catch_unwind(|| assert!(i < 10)).is_err()).count()
}
#[unsafe(no_mangle)]
pub fn parse(s: &[&str], a: &mut [f32]) -> Result<(), std::num::ParseFloatError> {
    for i in 0..s.len() {
        a[i] = s[i].parse()?;
    }
    Ok(())
}
