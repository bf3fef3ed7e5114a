"""MuJoCo 2.2.2: a capsule in a box that it misses, and two boxes that overlap by 0.5, by half of that.

usage: mujoco.py       exit: 0 if the answers are still so, 1 if not, 77 if the library is not here"""
import ctypes
import sys
import tempfile

CAPSULE, BOX = 3, 6  # mjtGeom
MODEL = "<mujoco><worldbody>{}</worldbody></mujoco>"
MISSED = '<geom type="capsule" size="6 0.5" pos="0 0 6.5"/><geom type="box" size="1 1 1"/>'  # above z = 0, and up to 1
HALF = '<geom type="box" size="1 1 1"/><geom type="box" size="1 1 1" pos="1.5 0.25 0.125"/>'


def depth(library, kinds, geoms):
    """Of the first contact that the collision function of these kinds gives; None if it gives none."""
    for name in ("mj_loadXML", "mj_makeData"):
        getattr(library, name).restype = ctypes.c_void_p
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(MODEL.format(geoms))
        file.flush()
        model = ctypes.c_void_p(library.mj_loadXML(file.name.encode(), None, ctypes.create_string_buffer(1000), 1000))
    data = ctypes.c_void_p(library.mj_makeData(model))
    contacts = (ctypes.c_double * 4000)()  # the first double of each is dist
    library.mj_kinematics(model, data)
    table = ((ctypes.c_void_p * 8) * 8).in_dll(library, "mjCOLLISIONFUNC")
    collide = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 3, ctypes.c_int, ctypes.c_int, ctypes.c_double)
    count = collide(table[kinds[0]][kinds[1]])(model, data, contacts, 0, 1, 0.0)
    return -contacts[0] if count > 0 else None


try:
    mujoco = ctypes.CDLL("libmujoco.so.2.2.2")
except OSError:
    print("not tried: libmujoco 2.2.2 is not here")
    sys.exit(77)
missed, half = depth(mujoco, (CAPSULE, BOX), MISSED), depth(mujoco, (BOX, BOX), HALF)
print(f"depth {missed}, in truth 1; depth {half}, in truth 0.5")
sys.exit(0 if missed is None and half < 0.3 else 1)
