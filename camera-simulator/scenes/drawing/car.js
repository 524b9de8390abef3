import * as THREE from 'three'
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js'
import { carModels } from './car-models.js'
import { paintCar, sheet } from './car-paint.js'
import { blend, intersectSmoothly, meshOfField, polygonDistance } from './surface-nets.js'
import { ownTime } from './walk.js'

const shapes = new Map()

/** The skin of a car model: lower body and cabin as side outlines given width, with rounded edges and wheel arches cut out. */
function shapeOf(name) {
  if (!shapes.has(name)) shapes.set(name, chart(skinOf(carModels[name]), carModels[name]))
  return shapes.get(name)
}

function skinOf(model) {
  const body = polygonDistance(model.body)
  const cabin = polygonDistance(model.cabin)
  const [rear, front] = [Math.min(...model.body.map(([x]) => x)), Math.max(...model.body.map(([x]) => x))]
  const roof = Math.max(...model.cabin.map(([, y]) => y))
  const belt = model.sideWindows[2]
  const middle = (rear + front) / 2
  const distance = (x, y, z) => {
    const end = Math.abs(x - middle) / ((front - rear) / 2)
    const width =
      model.halfWidth * (1 - 0.16 * end ** 5) - 0.05 * Math.max(0, 0.55 - y) - 0.12 * Math.max(0, y - 0.72) ** 1.5
    const shoulder = 0.014 * Math.exp(-(((y - belt + 0.14) / 0.05) ** 2))
    const lower = intersectSmoothly(body(x, y) - 0.02, Math.abs(z) - width - shoulder, 0.16)
    const lean = Math.max(0, y - belt + 0.05) / (roof - belt)
    const upper = intersectSmoothly(
      cabin(x, y),
      Math.abs(z) - model.halfWidth * (0.95 - (model.pillar === undefined ? 0.1 : 0.22) * lean),
      0.14,
    )
    let d = blend(lower, upper, 0.05)
    for (const axle of model.axles) {
      const arch = Math.hypot(x - axle, y - model.wheel) - model.wheel - 0.055
      d = intersectSmoothly(d, -Math.max(arch, model.halfWidth - 0.3 - Math.abs(z)), 0.02)
    }
    return d
  }
  const box = new THREE.Box3(
    new THREE.Vector3(rear - 0.1, 0.15, -1.05),
    new THREE.Vector3(front + 0.1, roof + 0.1, 1.05),
  )
  return meshOfField(distance, box, 0.05)
}

/** Lays each triangle on the side, top, front or rear drawing of the paint sheet, whichever it faces most. */
function chart(geometry, model) {
  const flat = geometry.toNonIndexed()
  const [position, normal] = ['position', 'normal'].map((name) => flat.getAttribute(name))
  const uv = new Float32Array(position.count * 2)
  const belt = model.sideWindows[2]
  for (let i = 0; i < position.count; i += 3) {
    const mean = (attribute, axis) => [0, 1, 2].reduce((sum, k) => sum + attribute.getComponent(i + k, axis), 0) / 3
    const [nx, , nz] = [0, 1, 2].map((axis) => mean(normal, axis))
    const drawing = drawingFor({ nx, nz, x: mean(position, 0), y: mean(position, 1), belt })
    for (let k = i; k < i + 3; k++) {
      const [u, v] = sheet[drawing](position.getX(k), position.getY(k), position.getZ(k))
      uv[k * 2] = u
      uv[k * 2 + 1] = 1 - v
    }
  }
  flat.setAttribute('uv', new THREE.BufferAttribute(uv, 2))
  return mergeVertices(flat, 1e-5)
}

function drawingFor({ nx, nz, x, y, belt }) {
  if (Math.abs(nz) > 0.62) return 'side'
  if (Math.abs(nx) > 0.5 && y < belt + 0.02) return x > 0 ? 'front' : 'rear'
  return 'top'
}

const rubber = new THREE.MeshStandardMaterial({ color: '#17181a', roughness: 0.9 })
const rim = new THREE.MeshStandardMaterial({ color: '#a9acb0', roughness: 0.35, metalness: 0.8 })
const dark = new THREE.MeshStandardMaterial({ color: '#0b0c0d', roughness: 0.95 })

function wheel(radius) {
  const tyre = new THREE.Mesh(new THREE.TorusGeometry(radius - 0.075, 0.085, 8, 28), rubber)
  const disc = new THREE.Mesh(new THREE.CylinderGeometry(radius - 0.09, radius - 0.09, 0.1, 20), dark)
  disc.rotation.x = Math.PI / 2
  const spokes = Array.from({ length: 5 }, (_, i) => {
    const spoke = new THREE.Mesh(new THREE.BoxGeometry(0.055, radius * 1.45, 0.14), rim)
    spoke.rotation.z = (i / 5) * Math.PI
    return spoke
  })
  const ring = new THREE.Mesh(new THREE.TorusGeometry(radius - 0.105, 0.016, 5, 24), rim)
  ring.position.z = 0.06
  const turning = new THREE.Group()
  turning.add(tyre, disc, ring, ...spokes)
  return turning
}

/** A car standing on y=0, its front towards +x. `lights` are lit on a driving one. */
export function car({ model: name, colour, plate, lit = false }) {
  const model = carModels[name]
  const paint = new THREE.MeshPhysicalMaterial({
    map: paintCar(model, { colour, plate, lit }),
    roughness: 0.35,
    metalness: 0.15,
    clearcoat: 1,
    clearcoatRoughness: 0.06,
  })
  const object = new THREE.Group()
  object.add(new THREE.Mesh(shapeOf(name), paint))
  const wheels = []
  for (const axle of model.axles)
    for (const side of [-1, 1]) {
      const turning = wheel(model.wheel)
      turning.position.set(axle, model.wheel, side * (model.halfWidth - 0.13))
      object.add(turning)
      wheels.push(turning)
    }
  const under = new THREE.Mesh(new THREE.BoxGeometry(3.2, 0.25, model.halfWidth * 1.6), dark)
  under.position.y = 0.32
  object.add(under, ...mirrors(model, colour))
  object.traverse((part) => {
    part.castShadow = true
    part.receiveShadow = true
  })
  return { object, wheels, radius: model.wheel }
}

function mirrors(model, colour) {
  const shell = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.3 })
  return [-1, 1].map((side) => {
    const mirror = new THREE.Mesh(new THREE.SphereGeometry(0.1, 14, 10), shell)
    mirror.scale.set(0.6, 0.75, 1.1)
    mirror.position.set(model.windscreen[1] - 0.3, model.sideWindows[2] + 0.06, side * (model.halfWidth + 0.05))
    return mirror
  })
}

const bulk = [
  [-1.5, 0.55, -0.45],
  [-1.5, 0.55, 0.45],
  [-0.5, 0.6, 0],
  [0.5, 0.6, 0],
  [1.4, 0.5, -0.45],
  [1.4, 0.5, 0.45],
]

/** Drives a car along a route (see walk.js); heading follows the way, wheels roll. */
export function driveRoute({ object, wheels, radius }, { way, start, backwards = 1 }) {
  return (frame) => {
    const seconds = ownTime(frame, start)
    object.visible = seconds <= way.duration
    if (!object.visible) return []
    const { place, distance, heading } = way.at(seconds)
    object.position.copy(place)
    object.rotation.y = heading - (Math.PI / 2) * backwards
    for (const turning of wheels) turning.rotation.z = (-distance * backwards) / radius
    object.updateWorldMatrix(true, false)
    return bulk.map((at) => {
      const { x, y, z } = object.localToWorld(new THREE.Vector3(...at))
      return new THREE.Vector4(x, y, z, 0.5)
    })
  }
}
