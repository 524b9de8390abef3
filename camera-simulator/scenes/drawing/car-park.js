import * as THREE from 'three'
import { car, driveRoute } from './car.js'
import { bayX, buildGrounds, rows } from './car-park-grounds.js'
import { mirroredSurroundings, skyDome, sunLamp, sunLight } from './outdoors.js'
import { person, wear } from './person.js'
import { box, place, surface } from './solids.js'
import { route, walkRoute } from './walk.js'
import { wardrobe } from './wardrobe.js'

const sun = {
  direction: new THREE.Vector3(0.78, 0.44, 0.44).normalize(),
  colour: new THREE.Color(1, 0.85, 0.66),
  strength: 5.2,
  reach: 34,
  centre: new THREE.Vector3(0, 0, -6),
}

const paints = {
  white: '#dfe1e2',
  silver: '#a3a8ad',
  grey: '#5b6066',
  black: '#17191c',
  blue: '#24436e',
  red: '#8a1f1c',
  green: '#2c4438',
  sand: '#a4977f',
}
/** Row, bay number, model, paint, plate: who is parked. Rows from the building to the camera. */
const parked = [
  ['wall', 0, 'hatchback', 'silver', 'KT 41 LMO'],
  ['wall', 1, 'saloon', 'black', 'BR 08 VNA'],
  ['wall', 3, 'offRoader', 'white', 'DL 77 KRE'],
  ['wall', 4, 'hatchback', 'red', 'MW 20 TAS'],
  ['wall', 5, 'saloon', 'grey', 'PE 63 JOL'],
  ['wall', 8, 'hatchback', 'blue', 'SA 12 HIB'],
  ['wall', 9, 'van', 'white', 'GH 55 RUN'],
  ['wall', 11, 'saloon', 'silver', 'LO 31 PEM'],
  ['wall', 12, 'hatchback', 'white', 'RA 90 SUF'],
  ['wall', 14, 'offRoader', 'grey', 'TE 17 DOK'],
  ['middle', 2, 'saloon', 'blue', 'VN 46 OLA'],
  ['middle', 4, 'hatchback', 'sand', 'AK 29 MIR'],
  ['middle', 5, 'offRoader', 'black', 'CE 83 BAT'],
  ['middle', 7, 'hatchback', 'grey', 'JU 65 NEL'],
  ['middle', 9, 'saloon', 'white', 'FO 38 GAS'],
  ['middle', 10, 'hatchback', 'red', 'ZI 70 HEM'],
  ['near', 3, 'hatchback', 'white', 'EL 24 VOX'],
  ['near', 5, 'saloon', 'silver', 'NA 59 TIR'],
  ['near', 6, 'hatchback', 'blue', 'OS 11 KAL'],
  ['near', 9, 'offRoader', 'red', 'UB 72 WEN'],
  ['near', 11, 'saloon', 'black', 'IR 36 LUD'],
]

function parkCars() {
  const cars = new THREE.Group()
  for (const [i, [row, bay, model, paint, plate]] of parked.entries()) {
    const [z, turn] = rows[row]
    const nudge = ((i * 7) % 5) * 0.07 - 0.14
    const { object } = car({ model, colour: paints[paint], plate })
    cars.add(place(object, bayX(bay) + nudge, 0, z + nudge * 2, turn + (i % 3 ? 0 : Math.PI) + nudge * 0.12))
  }
  return cars
}

function bag(colour) {
  return box([0.12, 0.34, 0.3], surface({ color: colour, roughness: 0.6 }))
}

function people() {
  const office = person(wardrobe.navyJacket)
  const shopper = wear(person(wardrobe.redCoat), 'rightHand', bag('#e8e2d4'), [-0.42, 0.42, 0.02])
  shopper.arms.right = 'carry'
  const student = wear(
    person(wardrobe.greyHoodie),
    'chest',
    box([0.3, 0.42, 0.16], surface({ color: '#26302c' })),
    [0, 1.05, -0.2],
  )
  const elder = person(wardrobe.elderBeige)
  const parka = person(wardrobe.greenParka)
  parka.arms.left = 'phone'
  return { office, shopper, student, elder, parka }
}

const ways = {
  passing: route(
    [
      [-27, -8.8],
      [-10, -8.7],
      [30, -8.6],
      [62, -7.5],
    ],
    6.2,
  ),
  arriving: route(
    [
      [34, 8.4],
      [18, 8.4],
      [2, 8.2],
      [-14, 8.7],
      [-26, 9.5],
    ],
    4.6,
  ),
  // The last step of some goes into a parked car.
  office: route(
    [
      [1.5, -20.6],
      [1.6, -16],
      [0.4, -9],
      [-1.45, -5.9],
      [-1.45, -3],
      [-2.15, -2.9],
    ],
    1.42,
  ),
  shopper: route(
    [
      [-6.2, 13.5],
      [-5.9, 8],
      [-6.4, 5.6],
      [-6.4, 0],
      [-6.45, -2.7],
      [-7.2, -2.8],
    ],
    1.3,
  ),
  elder: route(
    [
      [17.5, 7.6],
      [6.4, 6.7],
      [4, 6],
      [4, 3.5],
      [3.2, 3.4],
    ],
    1.25,
  ),
  student: route(
    [
      [-20.5, -17.6],
      [-10, -17.5],
      [-1, -17.4],
      [0.9, -18.2],
      [1.2, -20.8],
    ],
    1.62,
  ),
  parka: route(
    [
      [1.8, -20.8],
      [2.2, -17.8],
      [9, -17.4],
      [16.2, -17.3],
      [16.75, -14.6],
      [16, -14.4],
    ],
    1.5,
  ),
}

/** Sits down during the last second of a way that ends in a car. */
const sitDown = (way) => (seconds) => ({ sink: Math.max(0, Math.min(1, (seconds - way.duration + 1.1) / 1.1)) })

/** Everybody who moves, with where and when. */
function traffic() {
  const { office, shopper, student, elder, parka } = people()
  const passing = car({ model: 'saloon', colour: paints.silver, plate: 'HE 48 DAN', lit: true })
  const arriving = car({ model: 'hatchback', colour: paints.red, plate: 'MU 05 GIL', lit: true })
  const actors = [
    driveRoute(passing, { way: ways.passing, start: 1 }),
    driveRoute(arriving, { way: ways.arriving, start: 8.5 }),
    walkRoute(office, { way: ways.office, start: 0.5, act: sitDown(ways.office) }),
    walkRoute(shopper, { way: ways.shopper, start: 4, act: sitDown(ways.shopper) }),
    walkRoute(student, { way: ways.student, start: 6 }),
    walkRoute(elder, { way: ways.elder, start: 0, act: sitDown(ways.elder) }),
    walkRoute(parka, { way: ways.parka, start: 11, act: sitDown(ways.parka) }),
  ]
  const moving = new THREE.Group()
  moving.add(passing.object, arriving.object, ...[office, shopper, student, elder, parka].map(({ object }) => object))
  return { actors, moving }
}

export async function buildCarPark(renderer) {
  const sky = () => skyDome(11, { zenith: '#3f78b8', horizon: '#a9c6e2', cloud: '#fff6ea' })
  const still = buildGrounds()
  still.add(sky(), parkCars())
  const camera = new THREE.PerspectiveCamera(52, 16 / 9, 0.1, 400)
  camera.position.set(-9.5, 6.6, 14.5)
  camera.lookAt(0.6, 0, -3.2)
  const { actors, moving } = traffic()
  const floor = new THREE.Mesh(
    new THREE.CircleGeometry(150, 32).rotateX(-Math.PI / 2),
    new THREE.MeshBasicMaterial({ color: '#5d5a55' }),
  )
  return {
    camera,
    still,
    moving,
    environment: mirroredSurroundings(renderer, sky(), place(floor, 0, -1.5, 0)),
    environmentIntensity: 0.9,
    shadowReach: 34,
    shadowCentre: sun.centre,
    skyLight: ({ y }) =>
      new THREE.Color(0.62, 0.74, 0.95).lerp(new THREE.Color(0.95, 0.88, 0.8), (1 - y) ** 3).multiplyScalar(0.55),
    bounce: { fromAbove: '#000000', fromBelow: '#6d655c', strength: 0.9 },
    fill: { fromAbove: '#b9c8e0', fromBelow: '#6d655c', strength: 1.9 },
    lamp: sunLamp({ ...sun, blur: 0.012 }),
    key: sunLight({ ...sun, reach: 30 }),
    shadowBlur: 0.0008,
    look: {
      balance: new THREE.Vector3(1.03, 1, 0.96),
      exposure: 0.8,
      saturation: 0.95,
      distortion: 0.09,
      shadowStrength: 1,
      occlusionStrength: 0.9,
    },
    place: (frame) => actors.map((actor) => actor(frame)),
  }
}
