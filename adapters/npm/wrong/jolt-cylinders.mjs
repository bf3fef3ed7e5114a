// Jolt: two upright cylinders of radius 1, with 2 between their axes, touch. Their depth comes out as 2, their height.
import initJolt from 'jolt-physics';

const J = await initJolt(), settings = new J.JoltSettings(), broad = new J.BroadPhaseLayerInterfaceTable(1, 1);
broad.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0));
settings.mObjectLayerPairFilter = new J.ObjectLayerPairFilterTable(1);
settings.mBroadPhaseLayerInterface = broad;
settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(broad, 1, settings.mObjectLayerPairFilter, 1);
new J.JoltInterface(settings);

const [first, second] = [0, 1].map(() => new J.CylinderShape(1, 1, 0)), one = new J.Vec3(1, 1, 1), target = new J.TransformedShape();
const upright = new J.Quat(0, 0, 0, 1), origin = new J.RVec3(0, 0, 0), found = new J.CollideShapeClosestHitCollisionCollector();
target.mShape = second;
target.SetWorldTransform(new J.RVec3(10 / 13, 0, 24 / 13), upright, one);
target.CollideShape(first, one, J.RMat44.prototype.sRotationTranslation(upright, origin), new J.CollideShapeSettings(), origin, found,
  new J.ShapeFilter());
const depth = found.HadHit() ? found.mHit.mPenetrationDepth : 0;
console.log(`depth ${depth}, in truth 0`);
process.exit(depth > 1 ? 0 : 1);
