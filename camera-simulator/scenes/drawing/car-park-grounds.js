import * as THREE from 'three'
import { hedge, tree } from './plants.js'
import { box, ground, group, place, post, solid, surface } from './solids.js'
import { asphalt, brick, grass, paintedTexture, plain, speckle, tiles } from './textures.js'

const bays = 17
const bayWidth = 2.55
/** The middle of a bay, by its number from the left. */
export const bayX = (bay) => -20.4 + bay * bayWidth
/** Rows of bays from the building to the camera: middle of the row (z) and which way a car that drove in points. */
export const rows = { wall: [-14, Math.PI / 2], middle: [-3.1, Math.PI / 2], near: [3.1, -Math.PI / 2] }

/** Asphalt, lines, kerbs, planting and the building behind: all that never moves but the cars. */
export function buildGrounds() {
  const still = group(...pavement(), ...markings(), ...planting(), ...building(), ...street())
  return still
}

function pavement() {
  const road = ground(120, 60, surface({ map: asphalt(5), roughness: 0.93 }), 12)
  const path = ground(
    60,
    2.6,
    surface({ map: tiles({ seed: 8, count: 4, colour: '#a29c92', joint: '#7d776e', jointWidth: 6, variation: 0.1 }) }),
    1.6,
  )
  const kerb = surface({ map: plain(9, '#9b978f') })
  return [
    place(road, 0, 0, -6),
    place(path, 0, 0.12, -17.85),
    place(box([60, 0.13, 0.16], kerb), 0, 0, -16.55),
    ...[-0.65, 0.65].map((z) => place(box([38, 0.14, 0.14], kerb), 1, 0, z)),
    ...[-18, 20].map((x) => place(box([0.14, 0.14, 1.44], kerb), x, 0, 0)),
    place(ground(37.9, 1.2, surface({ map: grass(6) }), 2.5), 1, 0.12, 0),
  ]
}

function wornPaint() {
  return paintedTexture([512, 64], (pen, width, height) => {
    pen.fillStyle = '#d5d3cb'
    pen.fillRect(0, 0, width, height)
    speckle(pen, { seed: 3, cells: 12, octaves: 4, amount: 0.45, grain: 0.2 })
  })
}

function markings() {
  const paint = surface({ map: wornPaint(), roughness: 0.8 })
  const stripe = (x, z, width, depth) => place(ground(width, depth, paint, 4), x, 0.008, z)
  const lines = []
  for (const [z] of Object.values(rows))
    for (let bay = 0; bay <= bays; bay++) lines.push(stripe(bayX(bay) - bayWidth / 2, z, 0.11, 4.9))
  lines.push(stripe(1, -11.55, 44, 0.1))
  for (const [x, z, turn] of [
    [-9, -8.7, 1],
    [7, -8.7, 1],
    [-2, 8.4, -1],
    [14, 8.4, -1],
  ])
    lines.push(arrow(x, z, turn, paint))
  for (let i = 0; i < 7; i++) lines.push(stripe(1.6, -15.9 + i * 0.001 + 4.6 + i * 0.75, 2.6, 0.4))
  return lines
}

function arrow(x, z, direction, paint) {
  const outline = new THREE.Shape(
    [
      [-1.4, -0.08],
      [0.5, -0.08],
      [0.5, -0.35],
      [1.4, 0],
      [0.5, 0.35],
      [0.5, 0.08],
      [-1.4, 0.08],
    ].map(([a, b]) => new THREE.Vector2(a * direction, b)),
  )
  const mesh = solid(new THREE.ShapeGeometry(outline).rotateX(-Math.PI / 2), paint)
  mesh.castShadow = false
  return place(mesh, x, 0.009, z)
}

function planting() {
  return [
    place(tree(21, 5.2), -13.4, 0, 0),
    place(tree(22, 5.8), 6.6, 0, 0),
    place(tree(24, 5), 15.4, 0, 0.1),
    place(tree(23, 8), -25, 0, -13),
    place(tree(25, 9), -27, 0, -4),
    place(tree(26, 8.5), 27.5, 0, -17),
    place(tree(27, 7), 31, 0, -8),
    place(hedge(31, 3, 0.5, 0.7), -9.4, 0.1, 0),
    place(hedge(32, 5, 0.5, 0.7), -1.4, 0.1, 0),
    place(hedge(33, 4, 0.5, 0.7), 11, 0.1, 0),
    place(hedge(34, 26, 1.3, 1), -23.6, 0, -4, Math.PI / 2),
    lampPost(-4.9, 0),
    lampPost(18.6, 0),
    ...[3.1, 4.2, -0.9, -2].map((x) =>
      place(post(0.06, 0.95, surface({ color: '#2e3236', roughness: 0.5 })), x, 0.1, -16.9),
    ),
  ]
}

function lampPost(x, z) {
  const steel = surface({ color: '#787d82', roughness: 0.45, metalness: 0.5 })
  const head = place(box([0.9, 0.09, 0.3], steel), 0.4, 7, 0)
  return place(group(post(0.07, 7.05, steel), place(post(0.16, 0.25, steel), 0, 0, 0), head), x, 0.1, z)
}

const front = -19.2

function building() {
  const walls = surface({ map: brick(13) })
  const trim = surface({ map: plain(14, '#b5b0a6') })
  const height = 6.4
  const [left, right, doorAt, doorWidth] = [-30, 30, 1.6, 3.6]
  const parts = [
    place(box([doorAt - doorWidth / 2 - left, height, 0.4], walls, 2), (left + doorAt - doorWidth / 2) / 2, 0, front),
    place(box([right - doorAt - doorWidth / 2, height, 0.4], walls, 2), (right + doorAt + doorWidth / 2) / 2, 0, front),
    place(box([doorWidth, height - 2.7, 0.4], walls, 2), doorAt, 2.7, front),
    place(box([right - left, 0.35, 0.7], trim), 0, height, front),
    place(box([right - left, 0.5, 0.5], trim), 0, 0, front + 0.02),
    place(box([right - left, 0.12, 0.46], trim), 0, 3.3, front + 0.02),
  ]
  return [...parts, ...windows(doorAt), ...doorway(doorAt, doorWidth)]
}

function windows(doorAt) {
  const frame = surface({ color: '#3a3f44', roughness: 0.5 })
  const pane = surface({ color: '#141c22', roughness: 0.08, metalness: 0.1 })
  const blind = surface({ color: '#b9b6ae' })
  const parts = []
  for (let i = 0; i < 17; i++)
    for (const [floor, y] of [0.95, 3.85].entries()) {
      const x = -27.2 + i * 3.4
      if (floor === 0 && Math.abs(x - doorAt) < 2.9) continue
      parts.push(
        place(box([1.9, 1.7, 0.06], frame), x, y, front + 0.2),
        place(box([0.86, 1.56, 0.05], pane), x - 0.46, y + 0.07, front + 0.22),
        place(box([0.86, 1.56, 0.05], pane), x + 0.46, y + 0.07, front + 0.22),
        place(box([2.1, 0.08, 0.3], surface({ color: '#a8a398' })), x, y - 0.09, front + 0.25),
      )
      const drop = ((i * 5 + floor * 3) % 4) * 0.3
      if (drop) parts.push(place(box([1.74, drop, 0.02], blind), x, y + 1.62 - drop, front + 0.25))
    }
  return parts
}

function doorway(x, width) {
  const inside = surface({ color: '#6a5f50' })
  const frame = surface({ color: '#2b2f33', roughness: 0.4 })
  const steel = surface({ color: '#c7c9ca', roughness: 0.35, metalness: 0.6 })
  const sign = paintedTexture([1024, 128], (pen) => {
    pen.fillStyle = '#1f3d57'
    pen.fillRect(0, 0, 1024, 128)
    pen.fillStyle = '#f3f1ea'
    pen.font = 'bold 78px sans-serif'
    pen.textAlign = 'center'
    pen.fillText('HARBOUR CENTRE', 512, 92)
  })
  const glow = new THREE.MeshStandardMaterial({ color: '#d8c9a8', emissive: '#ffdfa8', emissiveIntensity: 0.5 })
  return [
    place(ground(width + 2, 5, inside, 1), x, 0.11, front - 2.4),
    place(box([width + 2, 3, 0.1], inside), x, 0, front - 4.6),
    place(box([0.1, 3, 4.5], inside), x - width / 2 - 0.6, 0, front - 2.4),
    place(box([0.1, 3, 4.5], inside), x + width / 2 + 0.6, 0, front - 2.4),
    place(box([width + 2, 0.1, 4.5], glow), x, 2.75, front - 2.4),
    ...[-1, 1].map((s) => place(box([0.1, 2.7, 0.14], frame), x + (s * width) / 2, 0, front + 0.15)),
    ...[-1, 1].map((s) => place(box([0.07, 2.6, 0.08], frame), x + s * 1.05, 0, front)),
    place(box([width + 1.2, 0.16, 2.1], steel), x, 2.85, front + 1),
    ...[-1, 1].map((s) => place(post(0.06, 2.75, steel), x + s * (width / 2 + 0.45), 0.1, front + 1.85)),
    place(solid(new THREE.PlaneGeometry(5.2, 0.62), surface({ map: sign, roughness: 0.5 })), x, 3.6, front + 0.27),
  ]
}

/** Houses further away, so that the view does not end at the car park. */
function street() {
  const parts = []
  for (const [i, colour] of ['#b3a48c', '#9a9187', '#a8765c', '#bdb6a8', '#93806d'].entries()) {
    const wall = surface({ map: houseFront(i, colour) })
    const height = 7 + ((i * 3) % 5)
    parts.push(place(box([12, height, 10], wall), 42 + (i % 2) * 6, 0, -40 + i * 13))
    parts.push(place(box([10, height - 1, 12], wall), -48, 0, -44 + i * 13))
  }
  return parts
}

function houseFront(i, colour) {
  return paintedTexture(512, (pen) => {
    pen.fillStyle = colour
    pen.fillRect(0, 0, 512, 512)
    for (let n = 0; n < 12; n++) {
      const [x, y] = [40 + (n % 4) * 122, 50 + Math.floor(n / 4) * 155]
      pen.fillStyle = '#e0dbd0'
      pen.fillRect(x - 6, y - 6, 72, 102)
      pen.fillStyle = (n * 5 + i) % 4 ? '#2f3a42' : '#7a8791'
      pen.fillRect(x, y, 60, 90)
    }
    speckle(pen, { seed: 150 + i, cells: 6, octaves: 4, amount: 0.15, grain: 0.06 })
  })
}
