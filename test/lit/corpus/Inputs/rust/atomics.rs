// Atomics, mutexes and threads.
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Mutex;
#[unsafe(no_mangle)]
pub fn histogram(h: &[AtomicU32], p: &[u8]) {
    for &x in p {
        h[x as usize].fetch_add(1, Ordering::Relaxed);
    }
}
#[unsafe(no_mangle)]
pub fn locked(m: &Mutex<Vec<f32>>) {
    let mut v = m.lock().unwrap();
    for x in v.iter_mut() {
        *x = 1.0;
    }
}
#[unsafe(no_mangle)]
pub fn threads(a: &mut [f32]) {
    std::thread::scope(|s| {
        for c in a.chunks_mut(100) {
            s.spawn(move || c.iter_mut().for_each(|x| *x *= 2.0));
        }
    });
}
