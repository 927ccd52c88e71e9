"""The forces of the floor on a lamp, from the momentum of its points: what gravity does not change, the floor does."""

import math

import numpy as np


def audit_lamp(audit, bundle):
    """On one floor at rest, where every step is recorded and nothing else pushes."""
    scene, series, h = bundle.scene, bundle.series, bundle.step
    others = ("nail", "attachment", "spring", "force", "impulse")
    if bundle.manifest["backend"] != "articulated-lamp" or scene is None or len(scene.obstacles) != 1 or any(
            scene.table.get(kind) for kind in others) or not np.allclose(np.diff(bundle.times), h):
        return
    floor = scene.obstacles[0]
    if floor["shape"] != "plane" or "path" in floor:
        return
    if "slope" in floor:
        normal = np.array([-math.sin(floor["slope"]), math.cos(floor["slope"]), 0.0])
    else:
        normal = np.array([*floor.get("normal", [0, 1]), 0.0])[:3]
        normal /= np.linalg.norm(normal)
    along = np.array([normal[1], -normal[0], 0.0])
    momentum = np.einsum("i,tij->tj", scene.masses, bundle.velocities)
    force = np.diff(momentum, axis=0) / h - scene.masses.sum() * scene.gravity
    weight = scene.masses.sum() * np.linalg.norm(scene.gravity)
    audit.compare("floor_normal_force_N", series["floor_normal_force_N"][1:], force @ normal, weight, 1e-8)
    audit.compare("floor_friction_force_N", series["floor_friction_force_N"][1:], force @ along, weight, 1e-8)
    beyond = np.maximum(0.0, np.abs(force @ along) - floor.get("friction", 0.0) * (force @ normal))
    audit.compare("floor_cone_excess_N", series["floor_cone_excess_N"][1:], beyond, weight, 1e-8)
