// Jolt: a cylinder of radius 1 and height 2 with a cube on top, a quarter off it: no contact is found within 1 of each other.
// mMaxSeparationDistance: "all nearest contacts that are not further away than this distance will be found".
import initJolt from 'jolt-physics';

const J = await initJolt(), settings = new J.JoltSettings(), broad = new J.BroadPhaseLayerInterfaceTable(1, 1);
broad.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0));
settings.mObjectLayerPairFilter = new J.ObjectLayerPairFilterTable(1);
settings.mBroadPhaseLayerInterface = broad;
settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(broad, 1, settings.mObjectLayerPairFilter, 1);
new J.JoltInterface(settings);

const one = new J.Vec3(1, 1, 1), cylinder = new J.CylinderShape(1, 1, 0), cube = new J.BoxShape(one, 0), target = new J.TransformedShape();
const upright = new J.Quat(0, 0, 0, 1), origin = new J.RVec3(0, 0, 0), near = new J.CollideShapeSettings();
const found = new J.CollideShapeClosestHitCollisionCollector();
near.mMaxSeparationDistance = 1;
target.mShape = cube;
target.SetWorldTransform(new J.RVec3(0.5, 2, 0), upright, one);
target.CollideShape(cylinder, one, J.RMat44.prototype.sRotationTranslation(upright, origin), near, origin, found, new J.ShapeFilter());
console.log(`found ${found.HadHit()}, distance ${found.HadHit() ? -found.mHit.mPenetrationDepth : 'none'}, in truth 0`);
process.exit(found.HadHit() ? 1 : 0);
