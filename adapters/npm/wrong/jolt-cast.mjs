// Jolt: a box that is cast touches another at 0.4 of its way. mContactPointOn1, "contact point on the surface of shape 1",
// lies 0.29 outside of it.
import initJolt from 'jolt-physics';

const J = await initJolt(), settings = new J.JoltSettings(), broad = new J.BroadPhaseLayerInterfaceTable(1, 1);
broad.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0));
settings.mObjectLayerPairFilter = new J.ObjectLayerPairFilterTable(1);
settings.mBroadPhaseLayerInterface = broad;
settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(broad, 1, settings.mObjectLayerPairFilter, 1);
new J.JoltInterface(settings);

const first = new J.BoxShape(new J.Vec3(1, 2, 2), 0), second = new J.BoxShape(new J.Vec3(2, 2, 4), 0), one = new J.Vec3(1, 1, 1);
const target = new J.TransformedShape(), upright = new J.Quat(0, 0, 0, 1), origin = new J.RVec3(0, 0, 0);
target.mShape = second;
target.SetWorldTransform(new J.RVec3(-5, -4, 5), upright, one);
const cast = new J.RShapeCast(first, one, J.RMat44.prototype.sRotationTranslation(upright, origin), new J.Vec3(-5, -5, 1));
const found = new J.CastShapeClosestHitCollisionCollector();
target.CastShape(cast, new J.ShapeCastSettings(), origin, found, new J.ShapeFilter());
const x = found.mHit.mContactPointOn1.GetX();
console.log(`time ${found.mHit.mFraction}, contact at x = ${x}, but the box is from -3 to -1 then`);
process.exit(x < -3.1 ? 0 : 1);
