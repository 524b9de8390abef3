import * as THREE from 'three'
import { ceilingPanels, lightPasses, overheadLight, panelLamps, roomLight } from './indoors.js'
import { mirroredSurroundings } from './outdoors.js'
import { person, wear } from './person.js'
import { pottedPlant } from './plants.js'
import { linenTrolley } from './rolling-things.js'
import { box, ground, group, limbMesh, place, post, rod, solid, surface } from './solids.js'
import { carpet, ceilingTiles, paintedTexture, plain, wood } from './textures.js'
import { route, walkRoute } from './walk.js'
import { wardrobe } from './wardrobe.js'

const hall = { width: 2.6, height: 2.65, from: -19, till: 3.2 }
const length = hall.till - hall.from
const middle = (hall.from + hall.till) / 2
const side = hall.width / 2
/** Where the doors are (z of their middle), on the left and the right wall; rooms count down towards the window. */
const doorsLeft = [0.6, -3.8, -8.2, -12.6, -16.4]
const doorsRight = [-0.9, -5.3, -9.7, -14.1]
/** The left wall opens here into a side passage. */
const passage = { from: -11.3, till: -9.5 }

const lamps = {
  at: [2, -0.4, -2.8, -5.2, -7.6, -10, -12.4, -14.8, -17.2].map((z) => [0, z]),
  size: [0.3, 0.3],
  height: hall.height,
  colour: '#ffe3bd',
  candela: 4.6,
}

function wallPiece(x, from, till) {
  const paper = surface({ map: plain(51, '#cdc3b0', { cells: 5, amount: 0.08 }) })
  const panel = surface({ map: plain(52, '#8f8f86'), roughness: 0.7 })
  const trim = surface({ color: '#e5e1d8', roughness: 0.5 })
  const size = till - from
  const inward = x < 0 ? 1 : -1
  const z = (from + till) / 2
  return group(
    lightPasses(place(box([0.1, hall.height, size], paper, 1.5), x - inward * 0.05, 0, z)),
    place(box([0.012, 0.95, size], panel, 1.5), x, 0, z),
    place(box([0.03, 0.06, size], trim), x, 0.95, z),
    place(box([0.022, 0.12, size], trim), x + inward * 0.004, 0, z),
    place(box([0.05, 0.07, size], trim), x, hall.height - 0.07, z),
  )
}

function walls() {
  return group(
    wallPiece(-side, hall.from, passage.from),
    wallPiece(-side, passage.till, hall.till),
    wallPiece(side, hall.from, hall.till),
    place(box([0.5, 2.65, 0.1], surface({ map: plain(53, '#cdc3b0') })), -side - 0.25, 0, passage.from - 0.05),
    place(box([4, 2.65, 0.1], surface({ map: plain(54, '#c6bca9') })), -side - 2, 0, passage.from - 0.1),
    place(box([0.25, 2.65, 0.1], surface({ map: plain(55, '#c6bca9') })), -side - 0.12, 0, passage.till + 0.05),
  )
}

const veneer = () => surface({ map: wood(56, '#7a5233'), roughness: 0.45 })

/** A room door in its frame, on the wall x, facing into the hall. */
function door({ x, z, number, leaf }) {
  const inward = x < 0 ? 1 : -1
  const frame = surface({ color: '#4d3624', roughness: 0.5 })
  const brass = surface({ color: '#b8a06a', roughness: 0.3, metalness: 0.8 })
  const plate = surface({ map: numberPlate(number), roughness: 0.4 })
  const reader = surface({ color: '#1e2022', roughness: 0.3 })
  const sign = solid(new THREE.PlaneGeometry(0.13, 0.13), plate)
  return place(
    group(
      place(box([0.1, 2.14, 0.09], frame), 0, 0, -0.5),
      place(box([0.1, 2.14, 0.09], frame), 0, 0, 0.5),
      place(box([0.1, 0.09, 1.09], frame), 0, 2.12, 0),
      place(box([0.04, 2.1, 0.92], leaf, 1.05), 0.005, 0.01, 0),
      ...[0.25, 1.2].map((y) => place(box([0.052, 0.72, 0.6], leaf, 1.05), 0.005, y, 0)),
      place(box([0.06, 0.2, 0.06], reader), 0.01, 0.98, inward * 0.38),
      rod([0.06, 1.0, inward * 0.38], [0.06, 1.0, inward * 0.24], 0.012, brass),
      place(sign, 0.012, 1.52, 0.72, Math.PI / 2),
      place(box([0.005, 0.012, 0.02], brass), 0.03, 1.5, 0),
    ),
    x,
    0,
    z,
    inward > 0 ? 0 : Math.PI,
  )
}

function numberPlate(number) {
  return paintedTexture([128, 128], (pen) => {
    pen.fillStyle = '#2c2a28'
    pen.fillRect(0, 0, 128, 128)
    pen.fillStyle = '#e8dcc0'
    pen.font = 'bold 52px sans-serif'
    pen.textAlign = 'center'
    pen.fillText(`${number}`, 64, 84)
  })
}

/** The window at the end, bright with daylight behind a thin curtain. */
function windowEnd() {
  const frame = surface({ color: '#e9e6df', roughness: 0.5 })
  const view = new THREE.MeshBasicMaterial({ map: daylightView() })
  view.color.multiplyScalar(2.6)
  const cloth = surface({ map: wood(57, '#8a7f70'), roughness: 0.95 })
  const z = hall.from
  return group(
    lightPasses(place(box([hall.width, hall.height, 0.1], surface({ map: plain(58, '#cdc3b0') })), 0, 0, z - 0.05)),
    place(solid(new THREE.PlaneGeometry(1.3, 1.75), view), 0, 1.42, z + 0.02),
    ...[-0.65, 0, 0.65].map((x) => place(box([0.05, 1.8, 0.05], frame), x, 0.52, z + 0.04)),
    ...[0.5, 1.5, 2.28].map((y) => place(box([1.36, 0.05, 0.05], frame), 0, y, z + 0.04)),
    ...[-0.86, 0.86].map((x) => place(box([0.3, 2.2, 0.08], cloth), x, 0.25, z + 0.12)),
    rod([-1.1, 2.47, z + 0.12], [1.1, 2.47, z + 0.12], 0.014, surface({ color: '#40382f' })),
    place(box([0.9, 0.05, 0.3], surface({ map: wood(59, '#6b4a30'), roughness: 0.4 })), 0, 0.72, z + 0.35),
    ...[-0.4, 0.4].map((x) => place(box([0.04, 0.72, 0.24], surface({ color: '#503724' })), x, 0, z + 0.35)),
  )
}

function daylightView() {
  return paintedTexture([256, 344], (pen) => {
    const sky = pen.createLinearGradient(0, 0, 0, 344)
    sky.addColorStop(0, '#dfeaf4')
    sky.addColorStop(0.6, '#f2f3ee')
    sky.addColorStop(0.62, '#9aa78f')
    sky.addColorStop(1, '#6f7d66')
    pen.fillStyle = sky
    pen.fillRect(0, 0, 256, 344)
    for (const [x, y, w, colour] of [
      [10, 150, 70, '#b7b2a8'],
      [90, 120, 60, '#c6c0b2'],
      [170, 165, 80, '#a9a79f'],
    ]) {
      pen.fillStyle = colour
      pen.fillRect(x, y, w, 344)
    }
  })
}

function fittings() {
  const red = surface({ color: '#a81f1a', roughness: 0.35 })
  const black = surface({ color: '#1b1c1d', roughness: 0.5 })
  const extinguisher = group(
    post(0.07, 0.46, red),
    place(post(0.025, 0.08, black), 0, 0.46, 0),
    rod([0, 0.52, 0], [0.1, 0.48, 0], 0.012, black),
    rod([0.1, 0.48, 0], [0.08, 0.15, 0], 0.01, black),
  )
  const exit = new THREE.MeshBasicMaterial({ map: exitSign() })
  exit.color.multiplyScalar(1.3)
  const pictures = [
    [side, 1.2, '#6d7f86'],
    [side, -7.5, '#a08f62'],
    [-side, -1.6, '#84635a'],
    [-side, -6, '#5f7358'],
    [side, -12, '#7c7391'],
  ]
  return group(
    place(extinguisher, side - 0.1, 0.25, -2.9),
    place(box([0.005, 0.3, 0.2], red), side - 0.008, 1.4, -2.9),
    place(solid(new THREE.PlaneGeometry(0.5, 0.22), exit), 0, 2.42, -9),
    place(box([0.54, 0.26, 0.04], black), 0, 2.29, -9.03),
    place(box([0.012, 0.12, 0.012], black), 0, 2.54, -9.03),
    ...pictures.map(([x, z, tone], i) => picture({ x, z, tone, seed: 60 + i })),
    place(pottedPlant(71, 1.3), -side + 0.34, 0, -18.2),
    place(pottedPlant(72, 1.2), side - 0.32, 0, -6.9),
    sideTable(),
    ...[-1.6, -6.4, -13.6].map((z) =>
      place(box([0.13, 0.035, 0.13], surface({ color: '#efeeea' })), 0.45, hall.height - 0.035, z),
    ),
  )
}

/** A narrow table with a lamp at the wall. */
function sideTable() {
  const timber = surface({ map: wood(73, '#6b4a30'), roughness: 0.4 })
  const legs = [
    [-0.13, -0.4],
    [0.13, -0.4],
    [-0.13, 0.4],
    [0.13, 0.4],
  ].map(([x, z]) => limbMesh([x, 0, z], [x, 0.76, z], [0.014, 0.022], timber))
  const shade = new THREE.MeshStandardMaterial({
    color: '#e8d9bb',
    emissive: '#ffcf8a',
    emissiveIntensity: 1.1,
    roughness: 0.9,
  })
  const lamp = group(
    post(0.06, 0.03, timber),
    post(0.012, 0.3, timber),
    place(solid(new THREE.CylinderGeometry(0.09, 0.14, 0.2, 24, 1, true), shade), 0, 0.38, 0),
  )
  return place(
    group(...legs, place(box([0.32, 0.03, 0.95], timber), 0, 0.76, 0), place(lamp, 0, 0.79, 0.2)),
    -side + 0.18,
    0,
    -5.9,
  )
}

function exitSign() {
  return paintedTexture([256, 112], (pen) => {
    pen.fillStyle = '#0d7a45'
    pen.fillRect(0, 0, 256, 112)
    pen.fillStyle = '#f4fff6'
    pen.font = 'bold 66px sans-serif'
    pen.fillText('EXIT', 84, 80)
    pen.beginPath()
    pen.moveTo(66, 24)
    pen.lineTo(20, 56)
    pen.lineTo(66, 88)
    pen.fill()
  })
}

function picture({ x, z, tone, seed }) {
  const inward = x < 0 ? 1 : -1
  const art = surface({ map: plain(seed, tone, { cells: 3, octaves: 3, amount: 0.9 }), roughness: 0.5 })
  const frame = surface({ color: '#2d251e', roughness: 0.4 })
  const mat = surface({ color: '#ebe7dc' })
  return place(
    group(
      place(box([0.03, 0.62, 0.86], frame), 0, 0, 0),
      place(box([0.034, 0.56, 0.8], mat), 0, 0.03, 0),
      place(box([0.038, 0.38, 0.6], art), 0, 0.12, 0),
    ),
    x + inward * 0.012,
    1.25,
    z,
    inward > 0 ? 0 : Math.PI,
  )
}

const ways = {
  guest: route(
    [
      [-3.2, -10.5],
      [-1.5, -10.3],
      [-0.1, -8.8],
      [0.35, -4],
      [0.3, 0],
      [0.35, 4.2],
    ],
    1.3,
  ),
  maid: route(
    [
      [0.25, 5.6],
      [-0.25, 2],
      [-0.35, -3],
      [-0.3, -7.5],
      [-1.2, -10.2],
      [-4.2, -10.5],
    ],
    1.22,
  ),
  visitor: route(
    [
      [-3.4, -10.7],
      [-1.4, -10.6],
      [0.2, -11.5],
      [0.4, -14],
      [0.6, -16.6],
      [0.35, -12],
      [-1.2, -10.5],
      [-3, -10.3],
    ],
    1.15,
  ),
}
const trolleySpheres = [
  [0, 0.3, 0.75, 0.26],
  [0, 0.3, 1.05, 0.26],
  [0, 0.3, 1.4, 0.26],
  [0, 0.75, 1.1, 0.3],
]

function guests() {
  const guest = wear(person(wardrobe.charcoalSuit), 'rightHand', briefcase(), [-0.42, 0.5, 0.02])
  guest.arms.right = 'carry'
  const maid = person(wardrobe.housekeeper)
  maid.arms = { left: 'push', right: 'push' }
  maid.object.add(place(linenTrolley(), 0, 0, 1.02))
  const visitor = person(wardrobe.redCoat)
  visitor.arms.right = 'phone'
  const actors = [
    walkRoute(guest, { way: ways.guest, start: 0 }),
    walkRoute(maid, { way: ways.maid, start: 7.5, beside: trolleySpheres }),
    walkRoute(visitor, { way: ways.visitor, start: 2.5 }),
  ]
  return { actors, moving: group(...[guest, maid, visitor].map(({ object }) => object)) }
}

const briefcase = () => place(group(box([0.1, 0.3, 0.42], surface({ color: '#2b1d14', roughness: 0.4 }))), 0, -0.1, 0)

function floors() {
  const pattern = surface({ map: carpet(50, '#5a3a38', '#8d6f52'), roughness: 1 })
  const passageLength = passage.till - passage.from
  const ceilingMap = ceilingTiles(61)
  ceilingMap.repeat.set(hall.width / 2.4, length / 2.4)
  const ceiling = solid(new THREE.PlaneGeometry(hall.width, length).rotateX(Math.PI / 2), surface({ map: ceilingMap }))
  return [
    place(ground(hall.width, length, pattern, 1.6), 0, 0, middle),
    place(ground(4.5, passageLength, pattern, 1.6), -side - 2.25, 0, (passage.from + passage.till) / 2),
    lightPasses(place(ceiling, 0, hall.height, middle)),
  ]
}

export async function buildCorridor(renderer) {
  const leaf = veneer()
  const doors = [
    ...doorsLeft.map((z, i) => door({ x: -side, z, number: 301 + i * 2, leaf })),
    ...doorsRight.map((z, i) => door({ x: side, z, number: 302 + i * 2, leaf })),
  ]
  const panels = () => ceilingPanels(lamps.size, { ...lamps, glow: 5 })
  const still = group(...floors(), walls(), windowEnd(), fittings(), ...doors, ...panels())
  const camera = new THREE.PerspectiveCamera(60, 16 / 9, 0.05, 80)
  camera.position.set(0.78, 2.5, 3)
  camera.lookAt(-0.12, 1.05, -3.4)
  const { actors, moving } = guests()
  const around = new THREE.Mesh(
    new THREE.SphereGeometry(20, 24, 12),
    new THREE.MeshBasicMaterial({ color: '#6b6052', side: THREE.BackSide }),
  )
  const centre = new THREE.Vector3(0, 0, -6)
  return {
    camera,
    still,
    moving,
    environment: mirroredSurroundings(renderer, around, ...panels()),
    environmentIntensity: 0.7,
    shadowReach: 13,
    shadowCentre: centre,
    skyLight: roomLight('#f7e3c6', 0.42),
    bounce: { fromAbove: '#151311', fromBelow: '#d8c4ab', strength: 1.5 },
    fill: { fromAbove: '#ffe9cb', fromBelow: '#6b5546', strength: 1.7 },
    lamp: panelLamps(lamps),
    key: overheadLight({
      direction: new THREE.Vector3(0.1, 1, 0.3),
      colour: '#ffe6c4',
      strength: 1.5,
      centre,
      reach: 11,
    }),
    shadowBlur: 0.012,
    look: {
      balance: new THREE.Vector3(0.98, 1, 1.04),
      exposure: 1.22,
      saturation: 0.95,
      distortion: 0.16,
      shadowStrength: 0.3,
      occlusionStrength: 0.95,
    },
    place: (frame) => actors.map((actor) => actor(frame)),
  }
}
