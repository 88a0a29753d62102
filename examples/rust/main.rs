// main.rs - calls the loops of forms.rs with random arrays, of which some are too
// short, and prints what they computed, bit for bit: main SEED ROUNDS
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use std::env;
use std::panic::{catch_unwind, AssertUnwindSafe};
pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}
pub struct View {
    size: [usize; 2],
    stride: [usize; 2],
    data: Vec<f64>,
}
extern "Rust" {
    fn add_checked(y: &mut [f64], x: &[f64], a: f64);
    fn n_checked(n: usize, y: &mut [f64], x: &[f64], a: f64);
    fn stencil(n: usize, m: usize, b: &mut [f64], a: &[f64]);
    fn product(n: usize, c: &mut [f64], a: &[f64], b: &[f64]);
    fn lu(n: usize, a: &mut [f64]);
    fn syrk(n: usize, m: usize, c: &mut [f64], a: &[f64]);
    fn transpose(b: &mut Matrix, a: &Matrix);
    fn reversed(n: usize, y: &mut [f64], x: &[f64]);
    fn vecs(y: &mut Vec<f64>, x: &Vec<f64>);
    fn chunks(m: usize, y: &mut [f64], a: &[f64]);
    fn chunks_scaled(m: usize, a: &mut [f64], x: &[f64]);
    fn chunks_backwards(m: usize, a: &mut [f64]);
    fn iterated_vecs(a: &mut Vec<Vec<f64>>, x: &[f64]);
    fn rows_of_vecs(a: &mut Vec<Vec<f64>>, x: &[f64]);
    fn gather(y: &mut [f64], x: &[f64], idx: &[u32]);
    fn zipped(y: &mut [f64], x: &[f64], a: f64);
    fn inclusive(first: usize, last: usize, y: &mut [f64], x: &[f64]);
    fn view_scaled(b: &mut View, a: &View, by: f64);
    fn view_product(c: &mut View, a: &View, b: &View);
    fn ints(n: i32, y: &mut [i32], x: &[i32]);
}
/// Random numbers, and whether lengths are right, too short, or anything.
struct R(u64, usize);
impl R {
    fn next(&mut self) -> u64 { self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); self.0 >> 33 }
    fn f(&mut self) -> f64 { self.next() as f64 / 1e9 - 1.0 }
    fn vec(&mut self, n: usize) -> Vec<f64> { (0..n).map(|_| self.f()).collect() }
    // n, or something near it or anything
    fn near(&mut self, n: usize) -> usize {
        if self.1 < 2 {
            return n - self.1;
        }
        match self.next() % 4 { 0 | 1 => n, 2 => (n + 3).saturating_sub((self.next() % 7) as usize), _ => (self.next() % (2 * n as u64 + 1)) as usize }
    }
}
fn hash(v: &[f64]) -> u64 { v.iter().fold(7u64, |h, x| (h ^ x.to_bits()).wrapping_mul(1099511628211).rotate_left(17)) }
fn main() {
    let arguments: Vec<String> = env::args().collect();
    let mut r = R(arguments[1].parse().unwrap(), 0);
    let rounds: usize = arguments[2].parse().unwrap();
    std::panic::set_hook(Box::new(|i| println!("panic {}", i)));
    for round in 0..rounds {
        r.1 = round / 16;
        let least = if r.1 < 2 { 3 } else { 0 };
        let n = (r.next() % 40) as usize + least;
        let m = (r.next() % 40) as usize + least;
        let which = (round % 16) as u64;
        let (l1, l2, l3) = if which == 2 || which == 6 { (r.near(n * m), r.near(n * m), 0) } else if which == 3 || which == 4 { (r.near(n * n), r.near(n * n), r.near(n * n)) } else if which == 5 { (r.near(n*n), r.near(n*m), 0) } else { (r.near(n), r.near(n), 0) };
        let (mut y, x, z) = (r.vec(l1), r.vec(l2), r.vec(l3));
        let extra = if r.1 < 2 { 2 } else { r.next() % 5 };
        let res = catch_unwind(AssertUnwindSafe(|| unsafe {
            match which {
                0 => add_checked(&mut y, &x, 0.7),
                1 => n_checked(if extra == 0 { usize::MAX - 3 } else { n }, &mut y, &x, 0.3),
                2 => stencil(n, m, &mut y, &x),
                3 => product(n, &mut y, &x, &z),
                4 => lu(n, &mut y),
                5 => syrk(n, m, &mut y, &x),
                6 => {
                    let a = Matrix { rows: n, cols: m, data: x.clone() };
                    let mut b = Matrix { rows: m, cols: n, data: std::mem::take(&mut y) };
                    let e = catch_unwind(AssertUnwindSafe(|| transpose(&mut b, &a))).is_ok();
                    println!("{}", e);
                    y = b.data;
                    println!("{}", b.rows);
                }
                7 => reversed(n, &mut y, &x),
                8 => vecs(&mut y, &x),
                10 => {
                    let mut rows = x.clone();
                    chunks(m + 1, &mut y, &x);
                    chunks_backwards(m + 1, &mut rows);
                    let few = if round / 16 % 2 == 0 { y.len().min(1) } else { y.len() };
                    let e = catch_unwind(AssertUnwindSafe(|| chunks_scaled(m % 7 + 1, &mut rows, &y[..few]))).is_ok();
                    println!("{} {:016x}", e, hash(&rows));
                }
                11 => {
                    let mut rows = vec![y.clone(), x.clone()];
                    iterated_vecs(&mut rows, &x);
                    let e = catch_unwind(AssertUnwindSafe(|| rows_of_vecs(&mut rows, &x))).is_ok();
                    println!("{}", e);
                    y = rows.concat();
                }
                12 => {
                    let index: Vec<u32> = y.iter().map(|y| (y.abs() * m as f64) as u32).collect();
                    gather(&mut y, &x, &index)
                }
                14 => {
                    let last = if extra == 0 { usize::MAX } else { n.wrapping_sub(1) };
                    inclusive(if extra == 1 { n } else { 0 }, last, &mut y, &x)
                }
                15 => {
                    // By rows, by rows with room behind, by columns, every second element.
                    let row = m + extra as usize;
                    let strides = [[m, 1], [row, 1], [1, n], [2 * row, 2]];
                    let mut views: Vec<View> = (0..3).map(|_| {
                        let stride = strides[if r.1 < 2 { r.1 } else { (r.next() % 4) as usize }];
                        let needed = (n.max(1) - 1) * stride[0] + (m.max(1) - 1) * stride[1] + 1;
                        let length = if r.1 < 2 { needed } else { r.near(needed) };
                        View { size: [n, m], stride, data: r.vec(length) }
                    }).collect();
                    let mut c = views.pop().unwrap();
                    let e = catch_unwind(AssertUnwindSafe(|| view_scaled(&mut c, &views[0], 0.9))).is_ok();
                    println!("{} {:016x}", e, hash(&c.data));
                    let inner = n.min(m) + if r.1 < 2 { 0 } else { (r.next() % 4 / 3) as usize };
                    views[0].size = [n, inner];
                    views[1].size[0] = n.min(m);
                    let e = catch_unwind(AssertUnwindSafe(|| view_product(&mut c, &views[0], &views[1]))).is_ok();
                    println!("{}", e);
                    y = c.data;
                }
                13 => zipped(&mut y, &x, 0.1),
                _ => {
                    let mut v: Vec<i32> = y.iter().map(|x| (x * 100.0) as i32).collect();
                    let w: Vec<i32> = x.iter().map(|x| (x * 100.0) as i32).collect();
                    let e = catch_unwind(AssertUnwindSafe(|| ints(n as i32 - 3, &mut v, &w))).is_ok();
                    println!("{}", e);
                    y = v.iter().map(|x| *x as f64).collect();
                }
            }
        }));
        println!("{} {} {} {} {} {} {} {:016x}", which, n, m, l1, l2, l3, res.is_ok(), hash(&y));
    }
}
