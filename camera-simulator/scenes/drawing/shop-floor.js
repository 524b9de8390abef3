import * as THREE from 'three'
import { ceilingPanels, lightPasses, overheadLight, panelLamps, roomLight } from './indoors.js'
import { mirroredSurroundings } from './outdoors.js'
import { person, wear } from './person.js'
import { basket, cart } from './rolling-things.js'
import { stockShelves } from './shop-goods.js'
import { box, ground, group, place, solid, surface } from './solids.js'
import { ceilingTiles, paintedTexture, plain, tiles } from './textures.js'
import { loopSeconds, route, standStill, walkRoute } from './walk.js'
import { wardrobe } from './wardrobe.js'

const room = { width: 15, length: 22, height: 3.5 }
/** Middle lines (x) of the double-sided shelf runs, and from where to where (z) they stand. */
const runs = [-5.4, -1.65, 2.1, 5.85]
const [runFrom, runTill] = [-8.6, 3.4]
const runLength = runTill - runFrom
const levels = [0.14, 0.52, 0.9, 1.28, 1.66]

const lamps = {
  at: [-3.5, 0.2, 4].flatMap((x) => [-9, -5.8, -2.6, 0.6, 3.8, 7].map((z) => [x, z])),
  size: [0.28, 2.3],
  height: room.height,
  colour: '#fff4e2',
  candela: 7.5,
}

function shelfRun(x) {
  const steel = surface({ map: plain(41, '#d9d8d3'), roughness: 0.5 })
  const dark = surface({ color: '#54575b', roughness: 0.6 })
  const rail = priceRail(Math.round(x * 10))
  const parts = [
    place(box([0.06, 2.05, runLength], steel), 0, 0, 0),
    place(box([0.98, 0.13, runLength], dark), 0, 0, 0),
  ]
  for (const side of [-1, 1])
    for (const y of levels) {
      parts.push(place(box([0.44, 0.025, runLength - 0.02], steel), side * 0.25, y - 0.025, 0))
      const front = solid(new THREE.PlaneGeometry(runLength, 0.055), rail)
      parts.push(place(front, side * 0.475, y - 0.005, 0, (side * Math.PI) / 2))
    }
  for (let z = -runLength / 2; z <= runLength / 2 + 0.01; z += 1.2)
    parts.push(place(box([0.1, 2.08, 0.04], steel), 0, 0, z))
  return place(group(...parts), x, 0, (runFrom + runTill) / 2)
}

function priceRail(seed) {
  const map = paintedTexture([2048, 32], (pen) => {
    pen.fillStyle = '#c8c9c8'
    pen.fillRect(0, 0, 2048, 32)
    for (let x = 6; x < 2048; x += 26 + ((x * 7 + seed) % 18)) {
      pen.fillStyle = (x * 13 + seed) % 9 === 0 ? '#f0cf2e' : '#f7f7f3'
      pen.fillRect(x, 3, 20, 26)
      pen.fillStyle = '#333'
      pen.fillRect(x + 3, 9, 12, 5)
    }
  })
  return surface({ map, roughness: 0.5 })
}

/** Strips of shelf to fill: both sides of each run, the ends facing the camera, and the cooler along the back wall. */
function boards() {
  const clear = 0.34
  const list = []
  for (const x of runs)
    for (const side of [-1, 1])
      for (const y of levels)
        list.push({
          origin: [x + side * 0.25, y, (runFrom + runTill) / 2],
          turn: (side * Math.PI) / 2,
          length: runLength - 0.1,
          depth: 0.42,
          clear: y === levels.at(-1) ? 0.36 : clear,
        })
  for (const x of runs)
    for (const y of levels.slice(0, 4))
      list.push({ origin: [x, y, runTill + 0.28], turn: 0, length: 0.95, depth: 0.42, clear })
  for (const y of [0.45, 0.85, 1.25, 1.65])
    list.push({ origin: [0, y, -10.65], turn: 0, length: 14.4, depth: 0.5, clear: 0.36 })
  return list
}

function ends() {
  const steel = surface({ map: plain(42, '#d9d8d3'), roughness: 0.5 })
  const parts = []
  for (const [i, x] of runs.entries()) {
    parts.push(
      place(box([1, 1.7, 0.05], steel), x, 0, runTill + 0.04),
      place(box([1, 0.12, 0.5], steel), x, 0, runTill + 0.28),
    )
    for (const y of levels.slice(1, 4)) parts.push(place(box([0.98, 0.025, 0.46], steel), x, y - 0.025, runTill + 0.28))
    parts.push(
      place(
        solid(
          new THREE.PlaneGeometry(1, 0.42),
          surface({ map: banner(['OFFERS', '2 FOR 3', 'NEW IN', 'OFFERS'][i], i % 2 ? '#b8261f' : '#e3b71c') }),
        ),
        x,
        1.95,
        runTill + 0.1,
      ),
    )
  }
  return parts
}

function banner(text, colour, ink = '#fffdf4') {
  return paintedTexture([512, 214], (pen) => {
    pen.fillStyle = colour
    pen.fillRect(0, 0, 512, 214)
    pen.fillStyle = ink
    pen.font = 'bold 110px sans-serif'
    pen.textAlign = 'center'
    pen.fillText(text, 256, 146, 480)
  })
}

function aisleSigns() {
  const names = [
    ['4', 'Coffee  Tea', 'Breakfast'],
    ['5', 'Pasta  Rice', 'Sauces'],
    ['6', 'Snacks', 'Drinks'],
  ]
  return names.flatMap(([number, first, second], i) => {
    const map = paintedTexture([512, 256], (pen) => {
      pen.fillStyle = '#1d5a45'
      pen.fillRect(0, 0, 512, 256)
      pen.fillStyle = '#f6f4ea'
      pen.font = 'bold 170px sans-serif'
      pen.fillText(number, 30, 190)
      pen.font = 'bold 58px sans-serif'
      pen.fillText(first, 165, 110, 330)
      pen.fillText(second, 165, 190, 330)
    })
    const x = (runs[i] + runs[i + 1]) / 2
    const panel = place(box([1.15, 0.55, 0.03], surface({ map, roughness: 0.5 })), x, 2.5, 1.6)
    const wire = surface({ color: '#666' })
    return [panel, ...[-0.45, 0.45].map((dx) => place(box([0.012, 0.5, 0.012], wire), x + dx, 3.03, 1.6))]
  })
}

function shell() {
  const wall = surface({ map: plain(45, '#cfc9ba') })
  const ceiling = lightPasses(
    place(
      solid(
        new THREE.PlaneGeometry(room.width, room.length).rotateX(Math.PI / 2),
        surface({ map: ceilingTiles(46), roughness: 0.95 }),
      ),
      0,
      room.height,
      0,
    ),
  )
  ceiling.material.map.repeat.set(room.width / 2.4, room.length / 2.4)
  const walls = [
    [room.width, 0.1, 0, -11],
    [0.1, room.length, -room.width / 2, 0],
    [0.1, room.length, room.width / 2, 0],
  ]
  const coolerBody = surface({ color: '#e8eaea', roughness: 0.4 })
  const back = new THREE.MeshBasicMaterial({ color: new THREE.Color('#dfe9f0').multiplyScalar(0.75) })
  return [
    ceiling,
    ...walls.map(([w, d, x, z]) => lightPasses(place(box([w, room.height, d], wall), x, 0, z))),
    place(box([14.6, 0.42, 0.75], coolerBody), 0, 0, -10.6),
    place(box([14.6, 0.3, 0.75], coolerBody), 0, 2.08, -10.6),
    place(solid(new THREE.PlaneGeometry(14.4, 1.65), back), 0, 1.25, -10.92),
    ...[0.83, 1.23, 1.63].map((y) => place(box([14.4, 0.02, 0.5], coolerBody), 0, y, -10.65)),
    place(
      solid(new THREE.PlaneGeometry(7, 0.55), surface({ map: wideSign('DAIRY   &   CHILLED', '#2a6f92') })),
      0,
      2.75,
      -10.9,
    ),
  ]
}

function wideSign(text, colour) {
  return paintedTexture([1024, 80], (pen) => {
    pen.fillStyle = colour
    pen.fillRect(0, 0, 1024, 80)
    pen.fillStyle = '#fff'
    pen.font = 'bold 58px sans-serif'
    pen.textAlign = 'center'
    pen.fillText(text, 512, 60)
  })
}

/** Who is in the shop: one stops and takes something from a shelf, one pushes a cart, others pass by. */
function customers() {
  const chooser = person(wardrobe.mustardJumper)
  wear(chooser, 'leftHand', basket('#a02a25'), [0.42, 0.62, 0.02])
  chooser.arms = { left: 'carry', right: 'reach' }
  const pusher = person(wardrobe.navyJacket)
  pusher.arms = { left: 'push', right: 'push' }
  const trolley = cart()
  pusher.object.add(place(trolley, 0, 0, 0.85))
  const elder = person(wardrobe.elderBeige)
  const parka = wear(person(wardrobe.greenParka), 'rightHand', basket('#27597c'), [-0.42, 0.62, 0.02])
  parka.arms.right = 'carry'
  const clerk = person(wardrobe.shopGreen)
  clerk.arms = { left: 'hold', right: 'reach' }
  return { chooser, pusher, elder, parka, clerk }
}

const smooth = (t) => t * t * (3 - 2 * t)
/** Goes from 0 to 1 and back between the given seconds. */
const during = (seconds, from, till) => smooth(Math.max(0, Math.min(1, (seconds - from) / 0.8, (till - seconds) / 0.8)))

const ways = {
  chooser: route(
    [
      [5.2, 4.9],
      [1.6, 4.3],
      [-0.3, 1.2, 3.6, -Math.PI / 2],
      [-0.3, 3.6],
      [-2.4, 5.4],
      [-3.6, 6.2],
    ],
    1.25,
  ),
  pusher: route(
    [
      [3.8, -9.4],
      [0.7, -9.2],
      [0.55, -6.5],
      [0.4, 0],
      [0.5, 4.5],
      [0.3, 8.1],
    ],
    1.32,
  ),
  elder: route(
    [
      [-4.2, -9.4],
      [-1.7, -9.4],
      [0.2, -9.3],
      [4, -9.4],
    ],
    1.1,
  ),
  parka: route(
    [
      [5.8, 4.7],
      [3.9, 3.2],
      [3.9, -2],
      [3.9, -9.2],
      [2.1, -9.5],
    ],
    1.25,
  ),
}
const cartSpheres = [
  [0, 0.55, 0.7, 0.26],
  [0, 0.55, 1.1, 0.26],
]

function shopping() {
  const { chooser, pusher, elder, parka, clerk } = customers()
  const choose = (s) => ({ reach: during(s, 6.4, 9.2), look: 0.35 * during(s, 6.2, 9.6) })
  const tidy = (s) => ({
    reach: 0.55 + 0.45 * Math.sin((s * 4 * Math.PI) / loopSeconds),
    look: 0.15 * Math.sin((s * 2 * Math.PI) / loopSeconds),
  })
  const actors = [
    walkRoute(chooser, { way: ways.chooser, start: 0, act: choose }),
    walkRoute(pusher, { way: ways.pusher, start: 5, beside: cartSpheres }),
    walkRoute(elder, { way: ways.elder, start: 9 }),
    walkRoute(parka, { way: ways.parka, start: 10 }),
    standStill(clerk, { x: 3.15, z: -2.2, heading: -Math.PI / 2, act: tidy }),
  ]
  return { actors, moving: group(...[chooser, pusher, elder, parka, clerk].map(({ object }) => object)) }
}

export async function buildShopFloor(renderer) {
  const panels = () => ceilingPanels(lamps.size, { ...lamps, glow: 3.2 })
  const tile = tiles({ seed: 44, count: 6, colour: '#cfc8b8', joint: '#a19a8b', jointWidth: 3, variation: 0.035 })
  const floor = place(ground(room.width, room.length, surface({ map: tile, roughness: 0.5, gloss: 0.5 }), 3.6), 0, 0, 0)
  const still = group(
    ...shell(),
    ...runs.map(shelfRun),
    ...ends(),
    ...aisleSigns(),
    ...panels(),
    ...stockShelves(47, boards()),
  )
  const camera = new THREE.PerspectiveCamera(58, 16 / 9, 0.1, 100)
  camera.position.set(2.1, 3.15, 8.6)
  camera.lookAt(-0.35, 0.75, 0)
  const { actors, moving } = shopping()
  const around = new THREE.Mesh(
    new THREE.SphereGeometry(20, 24, 12),
    new THREE.MeshBasicMaterial({ color: '#6b665c', side: THREE.BackSide }),
  )
  const centre = new THREE.Vector3(0, 0, -1)
  return {
    camera,
    still,
    moving,
    floor,
    environment: mirroredSurroundings(renderer, around, ...panels()),
    environmentIntensity: 0.8,
    shadowReach: 13,
    shadowCentre: centre,
    skyLight: roomLight('#f4ebdc', 0.5),
    bounce: { fromAbove: '#1a1917', fromBelow: '#d6cdbd', strength: 1.5 },
    fill: { fromAbove: '#fff6e8', fromBelow: '#8d8375', strength: 2.1 },
    lamp: panelLamps(lamps),
    key: overheadLight({
      direction: new THREE.Vector3(0.25, 1, 0.35),
      colour: '#fff4e2',
      strength: 1.7,
      centre,
      reach: 10,
    }),
    shadowBlur: 0.012,
    look: {
      balance: new THREE.Vector3(1, 1, 1.02),
      exposure: 1,
      saturation: 0.88,
      distortion: 0.16,
      shadowStrength: 0.25,
      occlusionStrength: 0.9,
    },
    place: (frame) => actors.map((actor) => actor(frame)),
  }
}
