// Jolt: two equal boxes about one point, one of them turned by 4e-7 more, "do not collide".
import initJolt from 'jolt-physics';

const J = await initJolt(), settings = new J.JoltSettings(), broad = new J.BroadPhaseLayerInterfaceTable(1, 1);
broad.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0));
settings.mObjectLayerPairFilter = new J.ObjectLayerPairFilterTable(1);
settings.mBroadPhaseLayerInterface = broad;
settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(broad, 1, settings.mObjectLayerPairFilter, 1);
new J.JoltInterface(settings);

const box = new J.BoxShape(new J.Vec3(2, 4, 2), 0), one = new J.Vec3(1, 1, 1), target = new J.TransformedShape(), origin = new J.RVec3(0, 0, 0);
const found = new J.CollideShapeClosestHitCollisionCollector(), quarter = [0, -2e-7].map(z => new J.Quat(Math.SQRT1_2, 0, z, Math.SQRT1_2));
target.mShape = box;
target.SetWorldTransform(origin, quarter[1], one);
target.CollideShape(box, one, J.RMat44.prototype.sRotationTranslation(quarter[0], origin), new J.CollideShapeSettings(), origin, found,
  new J.ShapeFilter());
console.log(`collide ${found.HadHit()}, in truth 4 deep`);
process.exit(found.HadHit() ? 1 : 0);
