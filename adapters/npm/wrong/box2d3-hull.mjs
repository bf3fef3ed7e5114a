// Box2D v3: b2ComputeHull of a triangle of a million units overflows the stack, which ends the module.
const B = await (await import('../node_modules/box2d3-wasm/build/dist/es/compat/Box2D.compat.mjs')).default({ printErr() {} });
const corners = [[-500000, 500000], [500000, -100000], [-900000, 400000]].map(([x, y]) => new B.b2Vec2(x, y));
let answer;
try {
  answer = `a hull of ${B.b2ComputeHull(corners).count}`;
} catch (error) {
  answer = String(error).split('\n')[0];
}
console.log(`${answer}, in truth a hull of 3`);
process.exit(/stack overflow/.test(answer) ? 0 : 1);
