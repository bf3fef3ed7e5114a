// planck: a bar that turns about its middle passes over a circle, and TimeOfImpact says "separated". Its comment says so,
// too: "may miss some intermediate, non-tunneling collisions".
import * as planck from 'planck';

const input = new planck.TOIInput(), output = new planck.TOIOutput();
input.proxyA.setVertices([[-2, -0.1], [2, -0.1], [2, 0.1], [-2, 0.1]].map(([x, y]) => ({ x, y })), 4, 0);
input.proxyB.setVertices([{ x: 1, y: 1 }], 1, 0.1);
input.sweepA.a = 1.5 * Math.PI; // from along x; after a sixth of its way it lies along the diagonal, and on the circle
input.tMax = 1;
planck.TimeOfImpact(output, input);
const missed = output.state === planck.TOIOutputState.e_separated;
console.log(`${missed ? 'separated' : `state ${output.state} at ${output.t}`}, in truth a hit before ${1 / 6}`);
process.exit(missed ? 0 : 1);
