"""What other programs make of exports: Blender runs the script beside the OBJ files, VTK reads the blocks, ParaView opens the series.

Each is tried where it is installed (apt-get install blender, python3-vtk9); without Blender a stand-in keeps what the
script gives it. The files themselves are held against the bundle by tests/audit/audit_exports.py.
"""

import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import types
import unittest.mock

import h5py
import numpy as np

import common

SHOW = """
import bpy, json, sys
exec(compile(open(sys.argv[-1]).read(), sys.argv[-1], "exec"), {"__file__": sys.argv[-1]})
shown = {}
for frame in range(bpy.context.scene.frame_start, bpy.context.scene.frame_end + 1):
    bpy.context.scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    for thing in bpy.data.objects:
        if getattr(thing.data, "shape_keys", None):
            mesh = thing.evaluated_get(graph).to_mesh()
            shown.setdefault(thing.name, []).append([list(v.co) for v in mesh.vertices])
render = bpy.context.scene.render
json.dump([shown, render.fps / render.fps_base, {o.name: len(o.data.polygons) for o in bpy.data.objects if o.name in shown}], open("shown.json", "w"))
"""


READ_XDMF = """
import importlib, sys
import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
reader = getattr(importlib.import_module("vtkmodules." + sys.argv[1]), sys.argv[2])()
reader.SetFileName(sys.argv[3])
reader.UpdateInformation()
times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
reader.UpdateTimeStep(float(sys.argv[4]))
blocks = reader.GetOutputDataObject(0)
names = [blocks.GetMetaData(i).Get(blocks.NAME()).split("[")[0] for i in range(blocks.GetNumberOfBlocks())]
body = blocks.GetBlock(0)
arrays = {a: vtk_to_numpy(body.GetPointData().GetArray(a)) for a in ("rest_m", "displacement_m")}
numpy.savez("read.npz", times=times, names=names, points=vtk_to_numpy(body.GetPoints().GetData()), cells=body.GetNumberOfCells(),
            strain=vtk_to_numpy(body.GetCellData().GetArray("strain")), **arrays)
"""


# What ParaView has after a file is opened as by a click, at a time: the blocks by name with their arrays.
OPEN = """
import sys
import numpy
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy
reader = simple.OpenDataFile(sys.argv[1])
reader.UpdatePipeline(float(sys.argv[2]))
shown = {"times": list(reader.TimestepValues)}
def keep(block, name):
    if block.IsA("vtkMultiBlockDataSet"):
        for i in range(block.GetNumberOfBlocks()):
            keep(block.GetBlock(i), block.GetMetaData(i).Get(block.NAME()))
        return
    shown[name] = vtk_to_numpy(block.GetPoints().GetData())
    shown[name + ".cells"] = block.GetNumberOfCells()
    for kind, data in (("point", block.GetPointData()), ("cell", block.GetCellData())):
        for i in range(data.GetNumberOfArrays()):
            shown[f"{name}.{kind}.{data.GetArrayName(i)}"] = vtk_to_numpy(data.GetArray(i))
keep(servermanager.Fetch(reader), "")
numpy.savez("shown.npz", **shown)
"""

# A Python that has ParaView: Debian's replaces the package of VTK.
PARAVIEW = os.environ.get("PARAVIEW_PYTHON", sys.executable)

# Of the slab of press, pressed by a ball, in dynamic-ffd.
AT_POINTS = {"body", "velocity_m_s", "rest_m", "displacement_m", "strain", "contact_force_N"}


class Exports(common.InScratch):
    def exported(self, form, duration=0.2):
        """The points of a run, and the file to open of its export."""
        common.command("run", "press", "--backend", "dynamic-ffd", "--set", f"run.duration={duration}", "--overwrite", "--out", "runs")
        file = common.command("export", "runs/press/dynamic-ffd", "--format", form, "--out", form).strip()
        with h5py.File("runs/press/dynamic-ffd/points.h5") as h5:
            return h5["points"][:], h5["time"][:], pathlib.Path(file)

    def test_blender_shows_every_frame(self):
        points, times, file = self.exported("obj")
        script = file.parent / "dynamic-ffd_blender.py"
        self.assertLessEqual(len(script.read_text().splitlines()), 28)
        if shutil.which("blender") is None:
            self.in_a_stand_in(script, points, times)
            return
        pathlib.Path("show.py").write_text(SHOW)
        done = subprocess.run(["blender", "--background", "--factory-startup", "--python", os.path.abspath("show.py"), "--",
                               os.path.abspath(script)],
                              capture_output=True, text=True)
        self.assertTrue(pathlib.Path("shown.json").exists(), done.stdout + done.stderr)
        shown, rate, faces = json.loads(pathlib.Path("shown.json").read_text())
        bodies = np.concatenate([np.array(v) for k, v in shown.items() if not k.startswith("obstacle ")], axis=1)
        np.testing.assert_allclose(bodies, points, atol=1e-6)      # Blender counts in single precision
        self.assertAlmostEqual(rate, 1.0 / (times[1] - times[0]), places=3)
        self.assertTrue(all(faces.values()))

    def in_a_stand_in(self, script, points, times):
        """That keeps what the script gives it."""
        objects, animated = {}, []

        class Thing(types.SimpleNamespace):
            def shape_key_add(self, name, from_mix):
                self.keys.append(types.SimpleNamespace(name=name, frame=10.0 * len(self.keys)))
                key = self.keys[-1]
                return types.SimpleNamespace(data=types.SimpleNamespace(
                    foreach_set=lambda what, values: setattr(key, what, np.reshape(values, (-1, 3)))))

        def new_object(name, mesh):
            keys = []
            shape_keys = types.SimpleNamespace(key_blocks=keys, use_relative=True, eval_time=0.0)
            shape_keys.keyframe_insert = lambda path, frame: animated.append((name, path, frame, shape_keys.eval_time))
            objects[name] = Thing(mesh=mesh, keys=keys, data=types.SimpleNamespace(shape_keys=shape_keys))
            return objects[name]

        def new_mesh(name):
            mesh = types.SimpleNamespace(name=name)
            mesh.from_pydata = lambda vertices, edges, faces: mesh.__dict__.update(vertices=vertices, edges=edges, faces=faces)
            return mesh

        bpy = types.ModuleType("bpy")
        bpy.data = types.SimpleNamespace(meshes=types.SimpleNamespace(new=new_mesh),
                                         objects=types.SimpleNamespace(new=new_object))
        linked = []
        bpy.context = types.SimpleNamespace(scene=types.SimpleNamespace(
            render=types.SimpleNamespace(), collection=types.SimpleNamespace(objects=types.SimpleNamespace(link=linked.append))))
        with unittest.mock.patch.dict(sys.modules, {"bpy": bpy}):
            exec(compile(script.read_text(), str(script), "exec"), {"__file__": str(script)})
        self.assertEqual(linked, list(objects.values()))
        bodies = [thing for name, thing in objects.items() if not name.startswith("obstacle ")]
        shown = np.concatenate([[key.co for key in thing.keys] for thing in bodies], axis=1)
        np.testing.assert_array_equal(shown, points)
        for name, thing in objects.items():
            np.testing.assert_array_equal(thing.mesh.vertices, thing.keys[0].co)
            self.assertTrue(thing.mesh.faces)
            self.assertTrue(all(0 <= corner < len(thing.mesh.vertices) for face in thing.mesh.faces for corner in face))
            self.assertFalse(thing.data.shape_keys.use_relative)
            self.assertEqual([row[2:] for row in animated if row[0] == name],
                             [(i + 1, 10.0 * i) for i in range(len(points))])
        scene = bpy.context.scene
        self.assertEqual((scene.frame_start, scene.frame_end), (1, len(points)))
        self.assertAlmostEqual(scene.render.fps / scene.render.fps_base, 1.0 / (times[1] - times[0]), places=9)

    def test_vtk_reads_the_blocks(self):
        try:
            from vtkmodules.util.numpy_support import vtk_to_numpy
            from vtkmodules.vtkIOXML import vtkXMLMultiBlockDataReader
        except ImportError:
            self.skipTest("VTK is not installed: apt-get install python3-vtk9")
        points, _, file = self.exported("vtk")
        frames = sorted((file.parent / "dynamic-ffd").glob("*.vtm"))
        self.assertEqual(len(frames), len(points))
        for x, frame in zip(points, frames):
            reader = vtkXMLMultiBlockDataReader()
            reader.SetFileName(str(frame))
            reader.Update()
            groups = reader.GetOutput()
            at, names = 0, [groups.GetMetaData(g).Get(groups.NAME()) for g in range(groups.GetNumberOfBlocks())]
            self.assertEqual(names[:2], ["bodies", "obstacles"])
            bodies = groups.GetBlock(0)
            for b in range(bodies.GetNumberOfBlocks()):
                grid = bodies.GetBlock(b)
                read = vtk_to_numpy(grid.GetPoints().GetData())
                np.testing.assert_array_equal(read, x[at:at + len(read)])
                arrays = {grid.GetPointData().GetArrayName(i): vtk_to_numpy(grid.GetPointData().GetArray(i))
                          for i in range(grid.GetPointData().GetNumberOfArrays())}
                np.testing.assert_allclose(arrays["rest_m"] + arrays["displacement_m"], read, atol=1e-12)
                self.assertEqual(arrays["strain"].shape, (len(read), 6))
                self.assertEqual(grid.GetPointData().GetArray("strain").GetComponentName(3), "XY")
                self.assertEqual(vtk_to_numpy(grid.GetCellData().GetArray("strain")).shape, (grid.GetNumberOfCells(), 6))
                self.assertGreater(grid.GetNumberOfCells(), 0)
                at += len(read)
                self.assertEqual(set(arrays), AT_POINTS)
            self.assertEqual(at, len(x))
            obstacles = groups.GetBlock(1)
            self.assertEqual([obstacles.GetMetaData(o).Get(obstacles.NAME()) for o in range(obstacles.GetNumberOfBlocks())], ["ball"])
            self.assertGreater(obstacles.GetBlock(0).GetNumberOfCells(), 0)

    def test_paraview_opens_the_series(self):
        """As by a click on the file, in a process of its own."""
        points, times, file = self.exported("vtk", 0.5)
        done = subprocess.run([PARAVIEW, "-c", OPEN, os.path.abspath(file), str(times[-1])],
                              capture_output=True, text=True)
        if "No module named 'paraview'" in done.stderr:
            self.skipTest("ParaView is not installed: apt-get install python3-paraview (or set PARAVIEW_PYTHON)")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        shown = np.load("shown.npz")
        np.testing.assert_array_equal(shown["times"], times)
        np.testing.assert_array_equal(shown["slab"], points[-1])
        self.assertEqual({name.split(".")[2] for name in shown.files if name.startswith("slab.point.")}, AT_POINTS)
        self.assertGreater(shown["ball.cells"], 0)
        self.assertGreater(shown["lattice.cells"], 0)
        with h5py.File("runs/press/dynamic-ffd/points.h5") as h5:
            np.testing.assert_array_equal(shown["slab.point.velocity_m_s"], h5["velocities"][-1])
        np.testing.assert_allclose(shown["slab.point.rest_m"] + shown["slab.point.displacement_m"], points[-1], atol=1e-12)
        self.assertEqual(shown["slab.cell.strain"].shape, (int(shown["slab.cells"]), 6))
        with open("runs/press/dynamic-ffd/series.csv") as series:
            last = list(csv.DictReader(series))[-1]
        force = np.linalg.norm(shown["slab.point.contact_force_N"].sum(axis=0))
        self.assertGreater(force, 0.0)
        # The column is the mean since the record before.
        self.assertAlmostEqual(force, float(last["contact_force.slab.ball_N"]), delta=0.2 * force)

    def test_paraview_reads_xdmf(self):
        """Both of ParaView's readers, in a process of their own: they bring another HDF5 than h5py."""
        points, times, file = self.exported("xdmf")
        for module, reader in (("vtkIOXdmf2", "vtkXdmfReader"), ("vtkIOXdmf3", "vtkXdmf3Reader")):
            done = subprocess.run([PARAVIEW, "-c", READ_XDMF, module, reader, os.path.abspath(file), str(times[-1])],
                                  capture_output=True, text=True)
            if "No module named" in done.stderr:
                self.skipTest("ParaView is not installed: apt-get install python3-paraview")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            read = np.load("read.npz")
            np.testing.assert_array_equal(read["times"], times)
            self.assertEqual(list(read["names"]), ["slab", "ball", "lattice"], reader)
            np.testing.assert_array_equal(read["points"], points[-1])
            np.testing.assert_allclose(read["rest_m"] + read["displacement_m"], points[-1], atol=1e-12)
            self.assertEqual(len(read["strain"]), int(read["cells"]))


if __name__ == "__main__":
    unittest.main()
