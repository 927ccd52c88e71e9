#!/usr/bin/env python3
"""The reference of tests/laws/rigid_bodies_test.cc: a free box that tumbles about its middle axis.

Euler's equations J ω' = L × ω in the frame of the body and R' = R [ω], by DOP853 to 1e-13; ω against its closed form,
Jacobi's elliptic functions [Landau & Lifshitz 1976, Sec. 37]. Prints where three corners are after two seconds.
"""
import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

size = np.array([0.4, 0.6, 1.0])  # m, a mass of 2 kg in its 8 corners
mass = 2.0
half = size / 2
J = mass * np.array([half[1]**2 + half[2]**2, half[0]**2 + half[2]**2, half[0]**2 + half[1]**2])
spin = np.array([0.1, 5.0, 0.0])  # rad/s, of the world, in which the body starts unturned


def rate(_, y):
    R, w = y[:9].reshape(3, 3), y[9:]
    cross = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    return np.concatenate([(R @ cross).ravel(), np.cross(J * w, w) / J])


end = solve_ivp(rate, (0, 2), np.concatenate([np.eye(3).ravel(), spin]), method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
R, w = end[:9].reshape(3, 3), end[9:]

# Jacobi: moments I1 < I2 < I3 are those about z, y, x. Here L² > 2 E I2: about the axis of I3.
I = J[::-1]
w0 = spin[::-1]
E2, L2 = (I * w0**2).sum(), ((I * w0)**2).sum()
assert L2 > E2 * I[1]
k2 = (I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0]))
fast = np.sqrt((I[2] - I[1]) * (L2 - E2 * I[0]) / I.prod())
# At t = 0 the component about z vanishes, where sn is ±1.
quarter = ellipk(k2)
s2 = np.sqrt((E2 * I[2] - L2) / (I[1] * (I[2] - I[1])))
s3 = np.sqrt((L2 - E2 * I[0]) / (I[2] * (I[2] - I[0])))
s1 = np.sqrt((E2 * I[2] - L2) / (I[0] * (I[2] - I[0])))
closed = []
for sign in (1, -1):
    sn, cn, dn, _ = ellipj(quarter + sign * 2 * fast, k2)
    closed.append([s1 * cn, s2 * sn, s3 * dn])
error = min(np.abs(np.abs(c) - np.abs(w[::-1])).max() for c in closed)
print("moments", J, "spin at the end", w, "differs from the closed form by", error)
assert error < 1e-10
for corner in (half * [-1, -1, -1], half * [1, 1, 1], half * [1, -1, -1]):
    print(repr((R @ corner).tolist()))
