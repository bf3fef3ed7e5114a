//! A contender of a few lines: circles and spheres. Build it with `rustc --edition 2021 -O balls.rs`, then try
//! gjkbench verify --contender-program ./balls --contender rust-balls
mod gjkbench;
use gjkbench::{place, serve, Answer, Contender, Question, Shape, Status};

struct Balls;

impl Contender for Balls {
    type Prepared = ([f64; 3], f64); // a ball is a point with a radius

    fn prepare(&mut self, shape: Shape, _dim: usize) -> Self::Prepared {
        (shape.rows[0], shape.radius)
    }

    fn answer(&mut self, q: &Question<Self::Prepared>) -> Answer {
        let [(a, radius_a), (b, radius_b)] = q.shape;
        let from = place(q.dim, &q.pose[0], a, &q.pose[0]); // points are relative to the translation of A
        let to = place(q.dim, &q.pose[1], b, &q.pose[0]);
        let length = (0..3).fold(0f64, |sum, i| sum.hypot(to[i] - from[i]));
        let sigma = length - radius_a - radius_b;
        let normal = if length > 0.0 { std::array::from_fn(|i| (to[i] - from[i]) / length) } else { [1.0, 0.0, 0.0] };
        Answer {
            status: if sigma > 0.0 { Status::Separated } else { Status::Overlapping },
            sigma,
            normal,
            point_a: std::array::from_fn(|i| from[i] + radius_a * normal[i]),
            point_b: std::array::from_fn(|i| to[i] - radius_b * normal[i]),
            ..Default::default()
        }
    }
}

const HEADER: &str = concat!(
    r#"{"gjkbench":1,"form":"binary","name":"rust-balls","version":"1","licence":"MIT","dims":[2,3],"#,
    r#""kinds":["point"],"queries":["intersect","distance","penetration","signed_distance"],"precisions":["f64"]}"#);

fn main() -> std::io::Result<()> {
    serve(HEADER, Balls)
}
