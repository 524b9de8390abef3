import * as THREE from 'three'
import { box, group, place, rod, solid, surface } from './solids.js'

const chrome = () => surface({ color: '#9da1a5', roughness: 0.3, metalness: 0.7 })

/** A hand basket hanging from its handle (origin at the hand). */
export function basket(colour) {
  const plastic = surface({ color: colour, roughness: 0.5 })
  const wall = (size, x, z) => place(box(size, plastic), x, -0.42, z)
  return group(
    wall([0.012, 0.2, 0.42], -0.13, 0),
    wall([0.012, 0.2, 0.42], 0.13, 0),
    wall([0.26, 0.2, 0.012], 0, -0.21),
    wall([0.26, 0.2, 0.012], 0, 0.21),
    wall([0.26, 0.012, 0.42], 0, 0),
    place(box([0.12, 0.16, 0.1], surface({ color: '#c98a2b' })), 0.03, -0.4, 0.1),
    place(box([0.1, 0.2, 0.08], surface({ color: '#ded9cd' })), -0.05, -0.4, -0.08),
    rod([0.13, -0.22, 0], [0, 0.0, 0], 0.008, plastic),
    rod([-0.13, -0.22, 0], [0, 0.0, 0], 0.008, plastic),
  )
}

/** A supermarket cart of wire, its handle at the back (-z), about 0.9 m long. */
export function cart() {
  const wire = chrome()
  const parts = []
  const [low, high] = [0.48, 0.92]
  const rim = (y, t) => [
    [-0.22 - t, y, -0.36 - t],
    [0.22 + t, y, -0.36 - t],
    [0.2 + t * 0.7, y, 0.42 + t],
    [-0.2 - t * 0.7, y, 0.42 + t],
  ]
  for (const [y, t] of [
    [low, 0],
    [0.63, 0.025],
    [0.78, 0.04],
    [high, 0.06],
  ]) {
    const corners = rim(y, t)
    for (let i = 0; i < 4; i++) parts.push(rod(corners[i], corners[(i + 1) % 4], y === high ? 0.01 : 0.005, wire))
  }
  const [bottom, top] = [rim(low, 0), rim(high, 0.06)]
  for (let side = 0; side < 4; side++)
    for (let n = 0; n < 7; n++) {
      const mix = (corners) =>
        corners[side].map((value, axis) => value + (corners[(side + 1) % 4][axis] - value) * (n / 7))
      parts.push(rod(mix(bottom), mix(top), 0.0035, wire))
    }
  for (let n = 0; n <= 6; n++)
    parts.push(rod([-0.21 + n * 0.07, low, -0.36], [-0.2 + n * 0.067, low, 0.42], 0.004, wire))
  const grip = rod([-0.27, 1.0, -0.46], [0.27, 1.0, -0.46], 0.017, surface({ color: '#b1271f', roughness: 0.4 }))
  for (const s of [-1, 1])
    parts.push(
      rod([s * 0.25, 1.0, -0.46], [s * 0.25, 0.3, -0.3], 0.011, wire),
      rod([s * 0.25, 0.3, -0.3], [s * 0.22, 0.16, 0.42], 0.012, wire),
      rod([s * 0.22, 0.16, 0.42], [s * 0.2, low, 0.38], 0.01, wire),
    )
  return group(...parts, grip, ...castors(0.24, [-0.3, 0.4]), ...shopping())
}

const castors = (x, zs) =>
  zs.flatMap((z) =>
    [-x, x].map((at) => {
      const wheel = solid(new THREE.CylinderGeometry(0.06, 0.06, 0.03, 14), surface({ color: '#26282a' }))
      wheel.rotation.z = Math.PI / 2
      wheel.position.set(at, 0.06, z)
      return wheel
    }),
  )

function shopping() {
  const things = [
    ['#c7a437', 0.16, 0.26, 0.12, -0.1, -0.2],
    ['#b5432e', 0.2, 0.2, 0.14, 0.08, -0.16],
    ['#e6e2d8', 0.14, 0.3, 0.14, -0.06, 0.05],
    ['#4f7a3a', 0.2, 0.16, 0.24, 0.08, 0.12],
    ['#41658f', 0.22, 0.12, 0.2, -0.04, 0.28],
  ]
  return things.map(([colour, w, h, d, x, z]) =>
    place(box([w, h, d], surface({ color: colour, roughness: 0.6 })), x, 0.5, z),
  )
}

/** A housekeeping trolley: shelves with folded linen, a bag at one end. Pushed from -z. */
export function linenTrolley() {
  const frame = surface({ color: '#5b4a3b', roughness: 0.5 })
  const linen = ['#efece4', '#e4e0d6', '#d6dde3', '#f3f1ec']
  const parts = [0.2, 0.58, 0.98].map((y) => place(box([0.5, 0.03, 1.0], frame), 0, y, 0))
  for (const [x, z] of [
    [-0.24, -0.49],
    [0.24, -0.49],
    [-0.24, 0.49],
    [0.24, 0.49],
  ])
    parts.push(place(box([0.03, 0.86, 0.03], frame), x, 0.16, z))
  for (const y of [0.23, 0.61, 1.01])
    for (let n = 0; n < 4; n++)
      for (let layer = 0; layer < (y > 1 ? 2 : 4); layer++)
        parts.push(
          place(
            box([0.4, 0.06, 0.21], surface({ color: linen[(n + layer) % 4] })),
            0.005 * layer,
            y + layer * 0.065,
            -0.36 + n * 0.24,
          ),
        )
  const sack = place(box([0.46, 0.72, 0.34], surface({ color: '#3e5a63', roughness: 0.9 })), 0, 0.2, 0.7)
  const bottles = [0, 1, 2, 3].map((n) =>
    place(
      solid(
        new THREE.CylinderGeometry(0.032, 0.036, 0.2, 12),
        surface({ color: ['#d7e4ea', '#5f9fc0', '#d9b53c', '#d7e4ea'][n], roughness: 0.3 }),
      ),
      -0.16 + n * 0.1,
      1.12,
      0.42,
    ),
  )
  return group(
    ...parts,
    sack,
    ...bottles,
    rod([-0.24, 1.04, -0.56], [0.24, 1.04, -0.56], 0.016, chrome()),
    ...castors(0.2, [-0.42, 0.42]),
  )
}

/** Cardboard parcels with tape and a label. */
function parcel([width, height, depth], tone = '#b08a5c') {
  const card = surface({ color: tone, roughness: 0.9 })
  const tape = surface({ color: '#c9ad7d', roughness: 0.4 })
  const label = surface({ color: '#ece9e1' })
  return group(
    box([width, height, depth], card),
    place(box([0.05, height + 0.004, depth + 0.004], tape), 0, -0.002, 0),
    place(box([width * 0.35, 0.002, depth * 0.4], label), width * 0.25, height, 0),
    place(box([width * 0.3, height * 0.4, 0.002], label), width * 0.24, height * 0.4, -depth / 2 - 0.001),
  )
}

/** A hand truck with a stack of parcels, pulled or pushed from -z. */
export function handTruck() {
  const steel = surface({ color: '#2d3135', roughness: 0.4, metalness: 0.3 })
  const parts = [-0.2, 0.2].map((x) => rod([x, 0.12, 0], [x, 1.15, -0.22], 0.018, steel))
  for (const y of [0.3, 0.6, 0.9, 1.15])
    parts.push(rod([-0.2, y, -0.04 - (y - 0.12) * 0.17], [0.2, y, -0.04 - (y - 0.12) * 0.17], 0.013, steel))
  parts.push(place(box([0.44, 0.015, 0.34], steel), 0, 0.06, 0.17))
  const stack = group(
    place(parcel([0.5, 0.34, 0.38]), 0, 0.08, 0.2),
    place(parcel([0.42, 0.26, 0.34], '#a27c50'), -0.02, 0.42, 0.19),
    place(parcel([0.36, 0.22, 0.3], '#bb966a'), 0.03, 0.68, 0.18),
  )
  stack.rotation.x = -0.06
  return group(...parts, stack, ...castors(0.24, [-0.02]))
}
