// Structures of arrays and arrays of structures.
#[repr(C)]
pub struct Particle {
    pos: [f32; 3],
    vel: [f32; 3],
    id: u8,
}
pub struct Field {
    n: usize,
    data: Box<[f64]>,
}
#[unsafe(no_mangle)]
pub fn advance(p: &mut [Particle], dt: f32) {
    for q in p {
        for d in 0..3 {
            q.pos[d] += dt * q.vel[d];
        }
    }
}
#[unsafe(no_mangle)]
pub fn smooth(f: &mut Field) {
    for i in 1..f.n - 1 {
        f.data[i] = 0.5 * (f.data[i - 1] + f.data[i + 1]);
    }
}
