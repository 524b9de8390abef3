import * as THREE from 'three'
import { car } from './car.js'
import { lightPasses } from './indoors.js'
import { hedge, pottedPlant, tree } from './plants.js'
import { box, ground, group, limbMesh, place, post, solid, surface } from './solids.js'
import { asphalt, brick, ceilingTiles, paintedTexture, plain, tiles, wood } from './textures.js'

export const hall = { width: 12, length: 14, height: 3.4, middle: 2 }
const front = hall.middle - hall.length / 2
const side = hall.width / 2
/** The sliding door in the glass front: middle (x), plane (z), clear width. */
export const doorway = { x: -0.4, z: front, width: 2.4 }

/** The lobby with its glass front, and the street before it. */
export function buildLobby() {
  return group(shell(), glassFront(), reception(), furniture(), street())
}

function shell() {
  const wall = surface({ map: plain(93, '#d8d4cb', { amount: 0.06 }) })
  const stone = surface({
    map: tiles({ seed: 94, count: 4, colour: '#8a8378', joint: '#6f695f', jointWidth: 3, variation: 0.1 }),
  })
  const map = ceilingTiles(95)
  map.repeat.set(hall.width / 2.4, hall.length / 2.4)
  const ceiling = solid(new THREE.PlaneGeometry(hall.width, hall.length).rotateX(Math.PI / 2), surface({ map }))
  const parts = [
    place(ceiling, 0, hall.height, hall.middle),
    place(box([0.1, hall.height, hall.length], stone, 2.4), -side - 0.05, 0, hall.middle),
    place(box([0.1, hall.height, hall.length], wall, 2), side + 0.05, 0, hall.middle),
    place(box([0.03, 0.1, hall.length], surface({ color: '#5b5850' })), side - 0.01, 0, hall.middle),
  ]
  return group(...parts.map(lightPasses), lift(side - 0.02, -0.6), lift(side - 0.02, 1.6), noticeBoard())
}

function lift(x, z) {
  const steel = surface({ color: '#a9acae', roughness: 0.35, metalness: 0.5 })
  const dark = surface({ color: '#43474a', roughness: 0.5 })
  return place(
    group(
      place(box([0.06, 2.35, 1.4], dark), 0, 0, 0),
      place(box([0.08, 2.15, 0.56], steel), 0, 0.02, -0.285),
      place(box([0.08, 2.15, 0.56], steel), 0, 0.02, 0.285),
      place(box([0.05, 0.22, 0.09], dark), 0, 1.05, 0.92),
      place(
        box([0.06, 0.04, 0.04], new THREE.MeshBasicMaterial({ color: new THREE.Color(1.8, 0.7, 0.2) })),
        0,
        1.15,
        0.92,
      ),
    ),
    x,
    0,
    z,
  )
}

function noticeBoard() {
  const map = paintedTexture([512, 384], (pen) => {
    pen.fillStyle = '#23424f'
    pen.fillRect(0, 0, 512, 384)
    pen.fillStyle = '#eef2f2'
    pen.font = 'bold 44px sans-serif'
    pen.fillText('Floors', 34, 66)
    pen.font = '34px sans-serif'
    for (const [i, line] of [
      '4   Studio North',
      '3   Hale & Partners',
      '2   Meeting rooms',
      '1   Clinic',
      '0   Reception',
    ].entries())
      pen.fillText(line, 34, 130 + i * 54)
  })
  return place(
    solid(new THREE.PlaneGeometry(1.2, 0.9), surface({ map, roughness: 0.4 })),
    side - 0.01,
    1.75,
    3.4,
    -Math.PI / 2,
  )
}

function glassFront() {
  const metal = surface({ color: '#33383c', roughness: 0.4, metalness: 0.4 })
  const parts = []
  const bars = [-side, -4.6, -3.1, doorway.x - doorway.width / 2, doorway.x + doorway.width / 2, 2.3, 3.8, 5.3, side]
  for (const x of bars) parts.push(place(box([0.09, hall.height, 0.14], metal), x, 0, front))
  for (const [from, till] of bars.slice(1).map((x, i) => [bars[i], x])) {
    const [width, x] = [till - from, (from + till) / 2]
    parts.push(
      place(box([width, 0.09, 0.13], metal), x, 2.4, front),
      place(box([width, 0.2, 0.14], metal), x, hall.height - 0.2, front),
    )
    if (Math.abs(x - doorway.x) > 1) parts.push(place(box([width, 0.12, 0.14], metal), x, 0, front))
  }
  parts.push(place(box([doorway.width, 0.2, 0.3], metal), doorway.x, 2.34, front + 0.05))
  const mat = surface({ map: plain(96, '#3d3d40', { cells: 16, amount: 0.2, grain: 0.3 }), roughness: 1 })
  parts.push(
    lightPasses(place(box([2.6, 0.012, 2.2], mat), doorway.x, 0, front + 1.35)),
    lightPasses(place(box([2.6, 0.012, 1.4], mat), doorway.x, 0.0, front - 0.9)),
  )
  return group(...parts)
}

function reception() {
  const timber = surface({ map: wood(97, '#94683f'), roughness: 0.45 })
  const top = surface({ color: '#e6e3dc', roughness: 0.3 })
  const screen = surface({ color: '#17191b', roughness: 0.3 })
  const glow = new THREE.MeshBasicMaterial({ color: new THREE.Color(0.5, 0.62, 0.75) })
  const name = paintedTexture([1024, 200], (pen) => {
    pen.fillStyle = '#7f7869'
    pen.fillRect(0, 0, 1024, 200)
    pen.fillStyle = '#f2efe6'
    pen.font = 'bold 120px sans-serif'
    pen.textAlign = 'center'
    pen.fillText('NORTHGATE', 512, 145)
  })
  return group(
    place(box([0.5, 1.08, 3.2], timber, 1.2), -3.75, 0, 3.1),
    place(box([0.6, 0.05, 3.3], top), -3.75, 1.08, 3.1),
    place(box([1.6, 1.08, 0.4], timber, 1.2), -4.6, 0, 1.6),
    place(box([1.6, 0.05, 0.5], top), -4.6, 1.08, 1.6),
    place(box([0.7, 0.04, 2.8], top), -4.2, 0.74, 3.1),
    ...[2.5, 3.7].flatMap((z) => [
      place(box([0.04, 0.34, 0.56], screen), -4.2, 0.88, z, 0.1),
      place(box([0.045, 0.3, 0.52], glow), -4.21, 0.9, z, 0.1),
    ]),
    place(solid(new THREE.PlaneGeometry(3, 0.58), surface({ map: name })), -side + 0.02, 2.3, 3.1, Math.PI / 2),
    place(pottedPlant(101, 0.8), -3.75, 1.1, 1.75),
  )
}

function furniture() {
  const cloth = surface({ map: plain(98, '#4f6272', { grain: 0.15 }) })
  const leg = surface({ color: '#2b2b2b' })
  const seat = (x, z, turn) =>
    place(
      group(
        place(box([0.75, 0.24, 0.7], cloth), 0, 0.18, 0),
        place(box([0.75, 0.46, 0.16], cloth), 0, 0.36, 0.3),
        ...[-0.34, 0.34].map((dx) => place(box([0.12, 0.36, 0.7], cloth), dx, 0.2, 0)),
        ...[-0.3, 0.3].flatMap((dx) => [-0.28, 0.28].map((dz) => place(box([0.04, 0.19, 0.04], leg), dx, 0, dz))),
      ),
      x,
      0,
      z,
      turn,
    )
  const table = group(
    place(
      solid(new THREE.CylinderGeometry(0.4, 0.4, 0.04, 32), surface({ map: wood(99, '#7a5436'), roughness: 0.4 })),
      0,
      0.42,
      0,
    ),
    post(0.03, 0.42, leg),
    place(box([0.2, 0.012, 0.28], surface({ color: '#b9433a' })), 0.1, 0.44, 0.05, 0.4),
    place(box([0.2, 0.012, 0.28], surface({ color: '#e4ded0' })), -0.12, 0.44, -0.08, -0.3),
  )
  return group(
    seat(4.9, -3.6, -Math.PI / 2 + Math.PI),
    seat(4.9, -2.6, Math.PI / 2),
    seat(3.2, -3.1, -Math.PI / 2),
    place(table, 4.0, 0, -3.1),
    place(pottedPlant(102, 2, '#c9c5bc'), 5.4, 0, -4.4),
    place(pottedPlant(103, 1.9, '#c9c5bc'), -5.3, 0, -4.2),
    place(pottedPlant(104, 1.7, '#c9c5bc'), -2.4, 0, -4.4),
    place(
      group(
        post(0.16, 0.6, surface({ color: '#8f9396', roughness: 0.35, metalness: 0.5 })),
        place(post(0.14, 0.02, leg), 0, 0.6, 0),
      ),
      1.5,
      0,
      -4.5,
    ),
  )
}

function street() {
  const pavement = surface({
    map: tiles({ seed: 105, count: 5, colour: '#b3aea4', joint: '#8f8a80', jointWidth: 5, variation: 0.1 }),
  })
  const road = surface({ map: asphalt(106), roughness: 0.93 })
  const kerb = surface({ color: '#a39f97' })
  const facade = surface({ map: houseFront(107, '#b08f74') })
  const second = surface({ map: houseFront(108, '#c9c0ae') })
  const third = surface({ map: brick(109, [150, 96, 78]) })
  const parked = [
    ['saloon', '#2a3f63', 6.5, 'NE 14 TIL'],
    ['hatchback', '#d9dadb', -5, 'WA 60 DUK'],
    ['offRoader', '#5d1f1c', -11, 'RO 87 FEN'],
  ].map(([model, colour, x, plate]) => place(car({ model, colour, plate }).object, x, -0.1, front - 9.1, Math.PI))
  const sunlit = [
    place(ground(60, 8, pavement, 2.5), 0, -0.015, front - 4),
    place(box([60, 0.12, 0.2], kerb), 0, -0.13, front - 8),
    place(ground(80, 9, road, 12), 0, -0.12, front - 12.4),
    place(ground(80, 4, pavement, 2.5), 0, -0.02, front - 18.5),
    place(box([16, 9, 1], facade, 0), -9, 0, front - 21),
    place(box([14, 11, 1], second, 0), 6, 0, front - 21),
    place(box([16, 8, 1], third, 2), 21, 0, front - 21),
    place(tree(110, 5.6), 3.8, 0, front - 7),
    place(tree(111, 5.2), -6.5, 0, front - 7),
    place(hedge(112, 3, 0.6, 0.6), 4.6, 0, front - 1.4),
    ...[-3.6, -2.6, 2].map((x) => place(post(0.06, 0.9, surface({ color: '#2e3236' })), x, 0, front - 7.6)),
    limbMesh([8, 0, front - 7.4], [8, 5, front - 7.4], [0.08, 0.05], surface({ color: '#4a4f53' })),
  ]
  return brightened(group(...sunlit, ...parked))
}

/** Daylight outside is much stronger than lamps inside: what stands in the street also glows a little in its own colours. */
function brightened(outside) {
  outside.traverse(({ material }) => {
    if (!material?.isMeshStandardMaterial || material.emissiveMap) return
    material.emissive.copy(material.vertexColors ? new THREE.Color('#4d5c2e') : material.color)
    material.emissiveMap = material.map
    material.emissiveIntensity = 0.75
  })
  return outside
}

/** A house front with rows of windows and a shop at street level, as one texture. */
function houseFront(seed, colour) {
  return paintedTexture([1024, 640], (pen) => {
    pen.fillStyle = colour
    pen.fillRect(0, 0, 1024, 640)
    for (let floor = 0; floor < 3; floor++)
      for (let i = 0; i < 7; i++) {
        const [x, y] = [40 + i * 140, 40 + floor * 150]
        pen.fillStyle = '#ded9ce'
        pen.fillRect(x - 8, y - 8, 96, 122)
        pen.fillStyle = (i + floor + seed) % 3 === 0 ? '#6f7f8c' : '#39444d'
        pen.fillRect(x, y, 80, 106)
        pen.fillStyle = '#ded9ce'
        pen.fillRect(x + 37, y, 6, 106)
      }
    pen.fillStyle = '#3b4a46'
    pen.fillRect(0, 490, 1024, 34)
    for (let i = 0; i < 5; i++) {
      pen.fillStyle = ['#58636a', '#7d776a', '#4b555c'][i % 3]
      pen.fillRect(20 + i * 204, 530, 176, 96)
    }
  })
}
