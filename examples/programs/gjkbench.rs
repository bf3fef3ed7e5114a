//! Speaks gjkbench's protocol for a contender in Rust, in binary form: copy it next to yours (docs/programs.md).
//! Standard output is the protocol's: print with eprintln!.
#![allow(dead_code)]
use std::io::{self, Read, Write};
use std::time::Instant;

pub const KINDS: [&str; 14] = ["point", "segment", "polygon", "box", "triangle", "hull", "aabb", "ellipse",
    "superellipse", "ellipsoid", "superellipsoid", "cylinder", "cone", "halfspace"];
pub const QUERIES: [&str; 7] = ["intersect", "distance", "penetration", "signed_distance", "sweep", "toi", "manifold"];
const CHUNK: usize = 64;

/// In 2D the third numbers are 0.
pub struct Shape { pub kind: &'static str, pub radius: f64, pub rows: Vec<[f64; 3]> }

/// A translation, then c and s in 2D, or a quaternion x, y, z, w in 3D.
#[derive(Clone, Copy, Default)]
pub struct Pose { pub at: [f64; 3], pub turn: [f64; 4] }

/// A displacement, and an angle (the first number) in 2D, or a rotation vector in 3D.
#[derive(Clone, Copy, Default)]
pub struct Motion { pub by: [f64; 3], pub turn: [f64; 3] }

pub struct Question<'a, P> {
    pub query: &'static str,
    pub dim: usize,
    pub margin: f64, pub ignore_leaving: bool,
    pub shape: [&'a P; 2], // of A and B, as prepared
    pub body: [u32; 2],
    pub pose: [Pose; 2],
    pub motion: [Motion; 2],
}

#[repr(u32)]
#[derive(Clone, Copy, Default)]
pub enum Status { Separated = 1, Overlapping, IterationLimit, InvalidInput, #[default] Unsupported, Hit }

#[derive(Clone, Copy, Default)]
pub struct Contact { pub point_a: [f64; 3], pub point_b: [f64; 3], pub separation: f64, pub feature: u32 }

/// `sigma` is of sweep and toi the time; `contacts` are of manifold.
#[derive(Clone, Default)]
pub struct Answer {
    pub status: Status,
    pub iterations: u32,
    pub sigma: f64, pub last: f64,
    pub normal: [f64; 3], pub point_a: [f64; 3], pub point_b: [f64; 3],
    pub contacts: Vec<Contact>,
}

pub trait Contender {
    type Prepared;
    fn prepare(&mut self, shape: Shape, dim: usize) -> Self::Prepared;
    fn answer(&mut self, question: &Question<Self::Prepared>) -> Answer;
}

/// A point of a shape in world axes, relative to the translation of the pose `origin`.
pub fn place(dim: usize, pose: &Pose, point: &[f64; 3], origin: &Pose) -> [f64; 3] {
    let ([a, b, c], [x, y, z, w]) = (*point, pose.turn);
    let f = 2.0 / (x * x + y * y + z * z + w * w);
    let turned = if dim == 2 { [x * a - y * b, y * a + x * b, 0.0] } else {
        [a - f * ((y * y + z * z) * a - (x * y - w * z) * b - (x * z + w * y) * c),
         b - f * ((x * x + z * z) * b - (x * y + w * z) * a - (y * z - w * x) * c),
         c - f * ((x * x + y * y) * c - (x * z - w * y) * a - (y * z + w * x) * b)] };
    std::array::from_fn(|i| turned[i] + (pose.at[i] - origin.at[i]))
}

struct Frame { bytes: Vec<u8>, at: usize }

impl Frame {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        self.at += N;
        self.bytes[self.at - N..self.at].try_into().unwrap()
    }
    fn u32(&mut self) -> u32 { u32::from_le_bytes(self.take()) }
    fn f64(&mut self) -> f64 { f64::from_le_bytes(self.take()) }
    fn numbers<const N: usize>(&mut self, count: usize) -> [f64; N] {
        std::array::from_fn(|i| if i < count { self.f64() } else { 0.0 })
    }
    fn pose(&mut self, dim: usize) -> Pose { Pose { at: self.numbers(dim), turn: self.numbers(2 * dim - 2) } }
    fn motion(&mut self, dim: usize) -> Motion { Motion { by: self.numbers(dim), turn: self.numbers(2 * dim - 3) } }
}

fn put(out: &mut Vec<u8>, numbers: &[f64]) { numbers.iter().for_each(|n| out.extend(n.to_le_bytes())); }
fn put_answer(out: &mut Vec<u8>, query: &str, answer: &Answer) {
    let two = |a: u32, b: u32| [a, b].map(u32::to_le_bytes).concat();
    out.extend(two(answer.status as u32, answer.iterations));
    if query != "manifold" {
        put(out, &[answer.sigma, answer.last]);
        return [answer.normal, answer.point_a, answer.point_b].iter().for_each(|v| put(out, v));
    }
    out.extend(two(answer.contacts.len() as u32, 0));
    put(out, &answer.normal);
    for i in 0..4 {
        let contact = answer.contacts.get(i).copied().unwrap_or_default();
        [contact.point_a, contact.point_b].iter().for_each(|v| put(out, v));
        put(out, &[contact.separation]);
        out.extend(two(contact.feature, 0));
    }
}

/// Writes the header, a line of JSON with "form":"binary", and answers until gjkbench has no more to ask.
pub fn serve<C: Contender>(header: &str, mut contender: C) -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let (mut shapes, mut dim, mut head) = (Vec::new(), 0, [0; 8]);
    output.write_all(format!("{header}\n").as_bytes())?;
    output.flush()?;
    while input.read_exact(&mut head).is_ok() {
        let mut frame = Frame { bytes: vec![0; u32::from_le_bytes(head[4..].try_into().unwrap()) as usize], at: 0 };
        input.read_exact(&mut frame.bytes)?;
        let (number, began) = (frame.u32(), Instant::now());
        if head[0] == 1 {
            dim = number as usize;
            let [_, count, sent] = [(); 3].map(|_| frame.u32());
            shapes = (0..count).map(|_| None).collect();
            for _ in 0..sent {
                let [index, kind, rows, _] = [(); 4].map(|_| frame.u32());
                let radius = frame.f64();
                let rows = (0..rows).map(|_| frame.numbers(dim)).collect();
                let shape = Shape { kind: KINDS[kind as usize], radius, rows };
                shapes[index as usize] = Some(contender.prepare(shape, dim));
            }
            let ns = began.elapsed().as_nanos() as u64;
            output.write_all(&[2, 8, ns as u32, (ns >> 32) as u32].map(u32::to_le_bytes).concat())?;
            output.flush()?;
            continue;
        }
        let [query, count, moving, leaving, _] = [(); 5].map(|_| frame.u32());
        let (query, margin) = (QUERIES[query as usize], frame.f64());
        let questions: Vec<_> = (0..count).map(|_| {
            let [a, b, body_a, body_b] = [(); 4].map(|_| frame.u32());
            let pose = [(); 2].map(|_| frame.pose(dim));
            let motion = [(); 2].map(|_| if moving == 1 { frame.motion(dim) } else { Motion::default() });
            let shape = [a, b].map(|i| shapes[i as usize].as_ref().unwrap());
            Question { query, dim, margin, ignore_leaving: leaving == 1, shape, body: [body_a, body_b], pose, motion }
        }).collect();
        for (chunk, some) in questions.chunks(CHUNK).enumerate() { // what is answered is known if a later pair fails
            let before = Instant::now();
            let answers: Vec<Answer> = some.iter().map(|question| contender.answer(question)).collect();
            let (ns, mut body) = (before.elapsed().as_nanos() as u64, Vec::new());
            answers.iter().for_each(|answer| put_answer(&mut body, query, answer));
            let (length, first) = (24 + body.len() as u32, (CHUNK * chunk) as u32);
            let head = [4, length, ns as u32, (ns >> 32) as u32, number, first, some.len() as u32, 0];
            output.write_all(&head.map(u32::to_le_bytes).concat())?;
            output.write_all(&body)?;
            output.flush()?;
        }
    }
    Ok(())
}
