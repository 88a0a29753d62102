// Closures and traits, static and dynamic.
pub trait Kernel {
    fn at(&self, x: f64) -> f64;
}
pub struct Linear(f64, f64);
impl Kernel for Linear {
    fn at(&self, x: f64) -> f64 {
        self.0 * x + self.1
    }
}
fn apply<K: Kernel>(k: &K, a: &mut [f64]) {
    for x in a {
        *x = k.at(*x);
    }
}
#[unsafe(no_mangle)]
pub fn linear(a: &mut [f64]) {
    apply(&Linear(2.0, 1.0), a);
    a.iter_mut().for_each(|x| *x += 3.0);
}
#[unsafe(no_mangle)]
pub fn dynamic(k: &dyn Kernel, a: &mut [f64]) {
    for x in a {
        *x = k.at(*x);
    }
}
