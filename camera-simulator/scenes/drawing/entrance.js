import * as THREE from 'three'
import { car, driveRoute } from './car.js'
import { buildLobby, doorway, hall } from './entrance-lobby.js'
import { ceilingPanels, overheadLight, panelLamps } from './indoors.js'
import { mirroredSurroundings, skyDome } from './outdoors.js'
import { person, wear } from './person.js'
import { handTruck } from './rolling-things.js'
import { box, ground, group, place, solid, surface } from './solids.js'
import { tiles } from './textures.js'
import { framesPerSecond, loopSeconds, route, standStill, walkRoute } from './walk.js'
import { wardrobe } from './wardrobe.js'

const lamps = {
  at: [-4.2, -1.4, 1.4, 4.2].flatMap((x) => [-2, 1.2, 4.4].map((z) => [x, z])),
  size: [0.6, 0.6],
  height: hall.height,
  colour: '#fff1de',
  candela: 7,
}

/** The two sliding leaves; they open while somebody is near. `busy` lists [from, till] in seconds of the loop. */
function slidingDoors(busy) {
  const glass = new THREE.MeshStandardMaterial({
    color: '#b9cbcf',
    roughness: 0.05,
    transparent: true,
    opacity: 0.16,
    depthWrite: false,
  })
  const metal = surface({ color: '#3a3f44', roughness: 0.35, metalness: 0.4 })
  const sticker = surface({ color: '#e9eef0', transparent: true, opacity: 0.75 })
  const width = doorway.width / 2
  const leaves = [-1, 1].map((side) => {
    const leaf = group(
      place(solid(new THREE.PlaneGeometry(width, 2.3), glass), 0, 1.17, 0),
      place(box([width, 0.1, 0.045], metal), 0, 0, 0),
      place(box([width, 0.07, 0.045], metal), 0, 2.28, 0),
      ...[-1, 1].map((edge) => place(box([0.05, 2.34, 0.045], metal), (edge * (width - 0.05)) / 2, 0, 0)),
      ...[0, 1, 2, 3, 4].map((n) =>
        place(solid(new THREE.PlaneGeometry(0.07, 0.07), sticker), -0.4 + n * 0.2, 1.35, 0.01),
      ),
    )
    leaf.traverse((part) => {
      part.castShadow = false
    })
    return { leaf, side }
  })
  const reach = [-2.4, 0, 2.4].flatMap((x) =>
    [0.2, 1.2, 2.2].map((y) => new THREE.Vector4(doorway.x + x, y, doorway.z, 0.001)),
  )
  const act = (frame) => {
    const seconds = frame / framesPerSecond
    const open = Math.max(0, ...busy.map(([from, till]) => openness(seconds, from, till)))
    for (const { leaf, side } of leaves)
      leaf.position.set(doorway.x + side * (width / 2 + open * (width - 0.12)), 0, doorway.z + 0.06)
    return open > 0 ? reach : []
  }
  return { object: group(...leaves.map(({ leaf }) => leaf)), act }
}

const smooth = (t) => t * t * (3 - 2 * t)

function openness(seconds, from, till) {
  const length = till - from
  const since = (seconds - from + loopSeconds) % loopSeconds
  return since > length ? 0 : smooth(Math.max(0, Math.min(1, since / 1, (length - since) / 1.2)))
}

function visitors() {
  const courier = person(wardrobe.courier)
  courier.arms = { left: 'push', right: 'push' }
  courier.object.add(place(handTruck(), 0, 0, 0.62))
  const woman = wear(
    person(wardrobe.blouseSkirt),
    'rightHand',
    box([0.1, 0.26, 0.32], surface({ color: '#7a3f2c', roughness: 0.4 })),
    [-0.42, 0.46, 0.02],
  )
  woman.arms.right = 'carry'
  const student = wear(
    person(wardrobe.greyHoodie),
    'chest',
    box([0.3, 0.42, 0.16], surface({ color: '#7b2f2a' })),
    [0, 1.05, -0.2],
  )
  const desk = person(wardrobe.charcoalSuit)
  const passer = person(wardrobe.redCoat)
  return { courier, woman, student, desk, passer }
}

const { x: doorX, z: doorZ } = doorway
// Outside, the ways begin and end where the side walls hide the street; inside, beyond the edge of the picture.
const ways = {
  courier: route(
    [
      [-8.3, -6.2],
      [-2, -6.6],
      [doorX - 0.2, doorZ],
      [-0.9, -2.5],
      [-1.95, 2.2, 1.4, -Math.PI / 2],
      [-1.7, 6.2],
    ],
    1.5,
  ),
  woman: route(
    [
      [3.2, 8.6],
      [2, 5],
      [doorX + 0.5, doorZ + 1],
      [doorX + 0.5, doorZ - 1.2],
      [3, -6.8],
      [6.9, -6.4],
    ],
    1.45,
  ),
  student: route(
    [
      [6.9, -6.4],
      [2, -6.5],
      [doorX + 0.2, doorZ],
      [0.2, -2.5],
      [3, 2],
      [5.3, 4],
    ],
    1.4,
  ),
  passer: route(
    [
      [8.6, doorZ - 6.6],
      [0, doorZ - 6.4],
      [-11.2, doorZ - 6.6],
    ],
    1.35,
  ),
  car: route(
    [
      [17, doorZ - 11.5],
      [0, doorZ - 11.5],
      [-17, doorZ - 11.5],
    ],
    7,
  ),
}
/** When the doors stand open for somebody, in seconds of the loop. */
const doorBusy = [
  [0.9, 6.9],
  [13.3, 16.6],
]
const truckSpheres = [
  [0, 0.3, 0.8, 0.26],
  [0, 0.7, 0.78, 0.22],
]

function comings() {
  const { courier, woman, student, desk, passer } = visitors()
  const doors = slidingDoors(doorBusy)
  const passing = car({ model: 'hatchback', colour: '#a3a8ad', plate: 'KO 52 RAL', lit: true })
  const glance = (seconds) => ({ look: 0.3 * Math.sin((seconds * 2 * Math.PI) / loopSeconds) })
  const actors = [
    doors.act,
    walkRoute(courier, { way: ways.courier, start: 0.2, beside: truckSpheres }),
    walkRoute(woman, { way: ways.woman, start: 5.6 }),
    walkRoute(student, { way: ways.student, start: 13 }),
    walkRoute(passer, { way: ways.passer, start: 12 }),
    driveRoute(passing, { way: ways.car, start: 6 }),
    standStill(desk, { x: -4.75, z: 3.1, heading: Math.PI / 2, act: glance }),
  ]
  const walkers = [courier, woman, student, desk, passer].map(({ object }) => object)
  return { actors, moving: group(...walkers, passing.object, doors.object) }
}

/** Daylight falls in through the glass front; from elsewhere comes what the room throws back. */
function skyLight({ x, y, z }) {
  const daylight = new THREE.Color(0.86, 0.94, 1.06).multiplyScalar(z < -0.2 ? 0.95 : 0)
  const room = new THREE.Color('#efe6d8').multiplyScalar(0.26 + 0.14 * y + 0 * x)
  return daylight.add(room)
}

export async function buildEntrance(renderer) {
  const sky = () => skyDome(91, { zenith: '#6e9fd0', horizon: '#dbe6ee', cloud: '#ffffff' })
  const tile = tiles({ seed: 92, count: 4, colour: '#938e85', joint: '#75716a', jointWidth: 3, variation: 0.05 })
  const floor = place(
    ground(hall.width, hall.length, surface({ map: tile, roughness: 0.45, gloss: 0.55 }), 3.2),
    0,
    0,
    hall.middle,
  )
  const panels = () => ceilingPanels(lamps.size, { ...lamps, glow: 3 })
  const { actors, moving } = comings()
  const still = group(sky(), buildLobby(), ...panels())
  const camera = new THREE.PerspectiveCamera(58, 16 / 9, 0.05, 400)
  camera.position.set(2.7, 3.05, 7.9)
  camera.lookAt(-0.35, 0.95, 0.4)
  const around = new THREE.Mesh(
    new THREE.SphereGeometry(20, 24, 12),
    new THREE.MeshBasicMaterial({ color: '#77736b', side: THREE.BackSide }),
  )
  const front = new THREE.Mesh(
    new THREE.PlaneGeometry(14, 4),
    new THREE.MeshBasicMaterial({ color: new THREE.Color(2, 2.2, 2.4) }),
  )
  const centre = new THREE.Vector3(0, 0, 0)
  return {
    camera,
    still,
    moving,
    floor,
    environment: mirroredSurroundings(renderer, around, place(front, 0, 2, -9), ...panels()),
    environmentIntensity: 0.75,
    shadowReach: 20,
    shadowCentre: centre,
    skyLight,
    bounce: { fromAbove: '#111214', fromBelow: '#b9b2a6', strength: 1 },
    fill: { fromAbove: '#f3efe8', fromBelow: '#8f8a82', strength: 1.7 },
    lamp: panelLamps(lamps),
    key: overheadLight({
      direction: new THREE.Vector3(0.15, 0.8, -0.75),
      colour: '#e9f1ff',
      strength: 1.9,
      centre,
      reach: 12,
    }),
    shadowBlur: 0.014,
    look: {
      balance: new THREE.Vector3(1.02, 1, 0.98),
      exposure: 0.95,
      saturation: 0.92,
      distortion: 0.15,
      shadowStrength: 0.35,
      occlusionStrength: 0.9,
    },
    place: (frame) => actors.map((actor) => actor(frame)),
  }
}
