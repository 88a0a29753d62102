// match in loops: values, ranges, enums, options.
pub enum Op {
    Add(f32),
    Scale(f32),
    Swap { with: usize },
    Stop,
}
#[unsafe(no_mangle)]
pub fn run(ops: &[Op], a: &mut [f32]) -> Option<usize> {
    for (i, op) in ops.iter().enumerate() {
        match op {
            Op::Add(x) => a[i] += x,
            Op::Scale(x) => a[i] *= x,
            Op::Swap { with } => a.swap(i, *with),
            Op::Stop => return Some(i),
        }
    }
    None
}
#[unsafe(no_mangle)]
pub fn classes(s: &[u8], out: &mut [u8]) {
    for i in 0..s.len() {
        out[i] = match s[i] {
            b'0'..=b'9' => 1,
            b'a' | b'e' | b'i' => 2,
            x if x > 128 => 3,
            _ => 0,
        };
    }
}
