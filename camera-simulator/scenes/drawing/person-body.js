import * as THREE from 'three'
import { tilingNoise } from './random.js'
import { blend, ellipsoid, limb, meshOfField } from './surface-nets.js'

/**
 * Joints of the standing body in metres, 1.75 m tall, facing +z, left side at +x, arms held a little away from the trunk.
 * Lists are [bone, parent, position].
 */
const armOut = Math.sin(0.4)
const armDown = Math.cos(0.4)
const sides = [
  ['left', 1],
  ['right', -1],
]
export const restJoints = [
  ['pelvis', undefined, [0, 0.95, 0]],
  ['spine', 'pelvis', [0, 1.06, 0]],
  ['chest', 'spine', [0, 1.24, -0.01]],
  ['head', 'chest', [0, 1.5, -0.005]],
  ...sides.flatMap(([side, s]) => [
    [`${side}Thigh`, 'pelvis', [s * 0.09, 0.92, 0]],
    [`${side}Shin`, `${side}Thigh`, [s * 0.1, 0.5, 0.012]],
    [`${side}Foot`, `${side}Shin`, [s * 0.105, 0.085, -0.02]],
    [`${side}Arm`, 'chest', [s * 0.175, 1.42, -0.012]],
    [`${side}Forearm`, `${side}Arm`, [s * (0.175 + 0.29 * armOut), 1.42 - 0.29 * armDown, -0.012]],
    [`${side}Hand`, `${side}Forearm`, [s * (0.175 + 0.54 * armOut), 1.42 - 0.54 * armDown, -0.012]],
  ]),
]
const joint = Object.fromEntries(restJoints.map(([name, , at]) => [name, at]))

/** Where the vertices of each bone are: segments used to bind skin to bones. */
const boneSegments = {
  pelvis: [
    [0, 0.9, 0],
    [0, 1.0, 0],
  ],
  spine: [
    [0, 1.05, 0],
    [0, 1.18, 0],
  ],
  chest: [
    [0, 1.24, 0],
    [0, 1.42, 0],
  ],
  head: [
    [0, 1.53, 0],
    [0, 1.7, 0],
  ],
  ...Object.fromEntries(
    sides.flatMap(([side, s]) => [
      [`${side}Thigh`, [joint[`${side}Thigh`], joint[`${side}Shin`]]],
      [`${side}Shin`, [joint[`${side}Shin`], joint[`${side}Foot`]]],
      [`${side}Foot`, [joint[`${side}Foot`], [s * 0.115, 0.03, 0.16]]],
      [`${side}Arm`, [joint[`${side}Arm`], joint[`${side}Forearm`]]],
      [`${side}Forearm`, [joint[`${side}Forearm`], joint[`${side}Hand`]]],
      [`${side}Hand`, [joint[`${side}Hand`], [s * (0.175 + 0.68 * armOut), 1.42 - 0.68 * armDown, 0.01]]],
    ]),
  ),
}

const joined = (parts, k) => (x, y, z) => {
  let d = parts[0](x, y, z)
  for (let i = 1; i < parts.length; i++) d = blend(d, parts[i](x, y, z), k)
  return d
}
/** A part drawn once for x >= 0 and mirrored. */
const bothSides = (part) => (x, y, z) => part(Math.abs(x), y, z)

const along = (t) => [0.175 + t * armOut, 1.42 - t * armDown, -0.012]

function trunk({ belly = 0, chest = 0, hips = 0 }, thicker) {
  return [
    ellipsoid([0, 0.94, -0.01], [0.158 + hips + thicker, 0.13, 0.112 + hips * 0.6 + thicker]),
    ellipsoid([0, 1.1, 0.005 + belly * 0.4], [0.138 + belly * 0.7 + thicker, 0.17, 0.098 + belly + thicker]),
    ellipsoid([0, 1.29, -0.005], [0.168 + thicker, 0.185, 0.108 + thicker]),
    bothSides(ellipsoid([0.07, 1.29, 0.065], [0.075 + thicker * 0.5, 0.075, 0.04 + chest + thicker])),
    bothSides(limb([0, 1.415, -0.015], [0.145, 1.4, -0.015], 0.06 + thicker, 0.046 + thicker * 0.7)),
  ]
}

const skinParts = () => [
  ellipsoid([0, 1.645, 0.0], [0.077, 0.108, 0.095]),
  ellipsoid([0, 1.59, 0.03], [0.056, 0.065, 0.062]),
  ellipsoid([0, 1.625, 0.096], [0.012, 0.022, 0.018]),
  bothSides(ellipsoid([0.077, 1.63, -0.005], [0.012, 0.03, 0.02])),
  limb([0, 1.42, -0.02], [0, 1.56, 0.0], 0.056, 0.05),
  bothSides(limb(along(0.3), along(0.55), 0.04, 0.028)),
  bothSides(ellipsoid(along(0.62), [0.032, 0.07, 0.04])),
  bothSides(limb(along(0.58), [along(0.64)[0] - 0.015, along(0.64)[1], 0.035], 0.015, 0.012)),
]

const hairs = {
  short: () => ellipsoid([0, 1.672, -0.018], [0.086, 0.1, 0.1]),
  long: () =>
    joined(
      [ellipsoid([0, 1.67, -0.016], [0.09, 0.104, 0.104]), ellipsoid([0, 1.55, -0.07], [0.085, 0.15, 0.05])],
      0.05,
    ),
  tail: () =>
    joined(
      [ellipsoid([0, 1.672, -0.018], [0.086, 0.1, 0.1]), limb([0, 1.7, -0.12], [0, 1.52, -0.14], 0.034, 0.018)],
      0.03,
    ),
  cap: () =>
    joined(
      [ellipsoid([0, 1.69, -0.005], [0.092, 0.082, 0.104]), ellipsoid([0, 1.69, 0.12], [0.062, 0.008, 0.06])],
      0.02,
    ),
  hood: () =>
    joined([ellipsoid([0, 1.665, -0.022], [0.1, 0.115, 0.112]), ellipsoid([0, 1.5, -0.06], [0.11, 0.07, 0.08])], 0.05),
}
/** Hair ends at the face and the neck. */
const trimmed = (hair, style) => (x, y, z) => {
  const forehead = style === 'cap' ? 1.66 : 1.69
  const face = Math.min((z - 0.03) * 0.9, forehead - y + Math.max(0, 0.1 - Math.abs(z)) * 0.2)
  const nape = style === 'long' || style === 'tail' || style === 'hood' ? -1 : 1.575 - y
  return Math.max(hair(x, y, z), face, nape)
}

function legParts(looseness) {
  const [top, knee, hem] = [0.088 + looseness * 0.4, 0.06 + looseness, 0.052 + looseness * 1.2]
  const [, kneeAt, ankleAt] = ['Thigh', 'Shin', 'Foot'].map((part) => joint[`left${part}`])
  return [
    bothSides(limb([0.085, 0.9, -0.005], kneeAt, top, knee)),
    bothSides(limb(kneeAt, [ankleAt[0], 0.1, -0.012], knee, hem)),
    ellipsoid([0, 0.94, -0.01], [0.162, 0.125, 0.118]),
  ]
}

const shoe = () =>
  bothSides(
    joined(
      [
        limb([0.105, 0.042, -0.045], [0.115, 0.035, 0.15], 0.044, 0.036),
        limb([0.105, 0.1, -0.025], [0.105, 0.05, -0.02], 0.045, 0.045),
      ],
      0.03,
    ),
  )

/** An open tube for a coat's or skirt's lower part, from the waist down to `hem`. */
const skirt = (hem, flare) => (x, y, z) => {
  const t = Math.max(0, (1.02 - y) / (1.02 - hem))
  const r = Math.hypot(x / (0.148 + (flare + 0.022) * t), z / (0.108 + (flare + 0.022) * t))
  return Math.max((r - 1) * 0.13, y - 1.04, hem - y)
}

const tops = {
  /** A jacket or jumper down to the hips. */
  jacket: { hem: 0.86, thicker: 0.02, sleeve: 0.53, sleeveWidth: 0.016 },
  shirt: { hem: 0.92, thicker: 0.01, sleeve: 0.53, sleeveWidth: 0.009 },
  tee: { hem: 0.89, thicker: 0.01, sleeve: 0.2, sleeveWidth: 0.01 },
  coat: { hem: 0.56, thicker: 0.024, sleeve: 0.54, sleeveWidth: 0.02, flare: 0.05 },
}

function topParts(build, cut) {
  const folds = tilingNoise(41, 64)
  const body = joined(
    [
      ...trunk(build, cut.thicker),
      ...(cut.flare ? [skirt(cut.hem, cut.flare)] : [skirt(cut.hem, 0.012 + cut.thicker * 0.4)]),
    ],
    0.06,
  )
  const upper = bothSides(limb(along(0), along(0.29), 0.047 + cut.sleeveWidth * 0.5, 0.04 + cut.sleeveWidth))
  const lower = bothSides(
    limb(along(0.29), along(Math.max(0.3, cut.sleeve)), 0.04 + cut.sleeveWidth, 0.031 + cut.sleeveWidth),
  )
  const collar = limb([0, 1.44, -0.02], [0, 1.475, -0.012], 0.066, 0.062)
  return (x, y, z) => {
    const arm = Math.abs(x) > 0.16 ? (Math.abs(x) - 0.175) * armOut + (1.42 - y) * armDown : 0
    let sleeve = cut.sleeve > 0.29 ? blend(upper(x, y, z), lower(x, y, z), 0.03) : upper(x, y, z)
    sleeve = Math.max(sleeve, arm - cut.sleeve)
    const d = blend(blend(body(x, y, z), sleeve, 0.035), collar(x, y, z), 0.03)
    return d - 0.006 * folds(x * 13 + 20, y * 9 + z * 6) - 0.004 * folds(x * 26 + 9, y * 24 + z * 13)
  }
}

/** Each garment or body part: its distance field and its colour. The innermost surface at a point gives the colour. */
function partsOf(look) {
  const cut = tops[look.top]
  const folds = tilingNoise(77, 64)
  const legs = joined(legParts(look.trousers === 'slim' ? 0.002 : 0.014), 0.03)
  const parts = [
    { colour: look.skin, distance: joined(skinParts(), 0.025) },
    { colour: look.hair, distance: trimmed(hairs[look.hairStyle](), look.hairStyle) },
    {
      colour: look.bottomColour,
      distance: (x, y, z) => Math.max(legs(x, y, z), 0.07 - y) - 0.005 * folds(x * 16 + 8, y * 14 + z * 9),
    },
    { colour: look.shoes, distance: shoe() },
    { colour: look.topColour, distance: topParts(look.build ?? {}, cut), detail: look },
  ]
  if (look.trousers === 'skirt') parts.push({ colour: look.bottomColour, distance: skirt(0.5, 0.06) })
  return parts
}

/** The body as a mesh with colours and the weights that bind it to the bones (in the order of `restJoints`). */
export function bodyGeometry(look) {
  const parts = partsOf(look)
  const box = new THREE.Box3(new THREE.Vector3(-0.56, -0.02, -0.26), new THREE.Vector3(0.56, 1.82, 0.26))
  const whole = (x, y, z) => {
    let d = parts[0].distance(x, y, z)
    for (let i = 1; i < parts.length; i++) d = Math.min(d, parts[i].distance(x, y, z))
    return Math.max(d, -y)
  }
  const geometry = meshOfField(whole, box, 0.0125)
  paint(geometry, parts, look)
  bind(geometry)
  return geometry
}

function paint(geometry, parts, look) {
  const position = geometry.getAttribute('position')
  const colours = new Float32Array(position.count * 3)
  const palette = parts.map(({ colour }) => new THREE.Color(colour))
  const [shirt, sole, trim] = [look.shirt ?? look.topColour, look.sole ?? '#d8d4cc', look.trim ?? look.topColour].map(
    (c) => new THREE.Color(c),
  )
  for (let i = 0; i < position.count; i++) {
    const [x, y, z] = [position.getX(i), position.getY(i), position.getZ(i)]
    const distances = parts.map((part) => part.distance(x, y, z))
    const nearest = distances.indexOf(Math.min(...distances))
    let colour = palette[nearest]
    const onTop = parts[nearest].detail
    if (onTop && z > 0.03 && y > 1.18 && Math.abs(x) < (y - 1.18) * 0.16) colour = shirt
    if (onTop && look.trim && y > 1.12 && y < 1.18 && Math.abs(x) < 0.24) colour = trim
    if (nearest === 3 && y < 0.022) colour = sole
    if (nearest === 0) colour = palette[0].clone().multiplyScalar(faceShade(Math.abs(x), y, z))
    colour.toArray(colours, i * 3)
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3))
}

/** How dark the skin is: eyes, brows and mouth, seen from some metres away. */
function faceShade(x, y, z) {
  if (z < 0.05) return 1
  if (y > 1.632 && y < 1.668 && x > 0.014 && x < 0.045) return 0.6
  if (y > 1.576 && y < 1.592 && x < 0.026) return 0.62
  return 1
}

function bind(geometry) {
  const position = geometry.getAttribute('position')
  const indices = new Uint16Array(position.count * 4)
  const weights = new Float32Array(position.count * 4)
  const bones = restJoints.map(([name], index) => ({ index, name, distance: limb(...boneSegments[name], 0.02, 0.02) }))
  for (let i = 0; i < position.count; i++) {
    const [x, y, z] = [position.getX(i), position.getY(i), position.getZ(i)]
    const pulls = bones
      .filter(({ name }) => !(name.startsWith('left') && x < -0.005) && !(name.startsWith('right') && x > 0.005))
      .map(({ index, distance }) => ({ index, weight: 1 / Math.max(0.004, distance(x, y, z)) ** 4 }))
      .sort((a, b) => b.weight - a.weight)
      .slice(0, 4)
    const total = pulls.reduce((sum, { weight }) => sum + weight, 0)
    for (const [slot, { index, weight }] of pulls.entries()) {
      indices[i * 4 + slot] = index
      weights[i * 4 + slot] = weight / total
    }
  }
  geometry.setAttribute('skinIndex', new THREE.BufferAttribute(indices, 4))
  geometry.setAttribute('skinWeight', new THREE.BufferAttribute(weights, 4))
}
