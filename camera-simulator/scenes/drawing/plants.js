import * as THREE from 'three'
import { seededRandom } from './random.js'
import { group, limbMesh, place, solid, surface } from './solids.js'

/** Leaves as single small triangles in clumps; real geometry, so that they shade one another. */
function leaves(random, { clumps, leavesEach, leafSize, hue }) {
  const positions = []
  const colours = []
  const colour = new THREE.Color()
  const corner = new THREE.Vector3()
  for (const { centre, radius } of clumps)
    for (let i = 0; i < leavesEach; i++) {
      const turn = new THREE.Euler(random.between(-1.2, 1.2), random.between(0, 6.28), random.between(-0.8, 0.8))
      const out = new THREE.Vector3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)).normalize()
      const at = out.multiplyScalar(radius * random.between(0.55, 1)).add(centre)
      const size = leafSize * random.between(0.6, 1.3)
      colour.setHSL((hue + random.between(-14, 14)) / 360, random.between(0.28, 0.5), random.between(0.16, 0.34))
      for (const [x, y] of [
        [-0.5, 0],
        [0.5, 0],
        [0, 1],
      ]) {
        corner
          .set(x * size, 0, y * size)
          .applyEuler(turn)
          .add(at)
        positions.push(corner.x, corner.y, corner.z)
        colours.push(colour.r, colour.g, colour.b)
      }
    }
  const geometry = new THREE.BufferGeometry()
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3))
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(colours, 3))
  geometry.computeVertexNormals()
  return solid(geometry, surface({ vertexColors: true, side: THREE.DoubleSide, roughness: 0.9 }))
}

/** A young street tree of the given height in metres. */
export function tree(seed, height) {
  const random = seededRandom(seed)
  const bark = surface({ color: '#5a4938' })
  const crown = height * 0.3
  const clumps = Array.from({ length: 26 }, () => {
    const out = new THREE.Vector3(random.between(-1, 1), random.between(-0.8, 1.1), random.between(-1, 1))
    if (out.length() > 1.1) out.normalize()
    return {
      centre: out.multiplyScalar(crown * 0.8).add(new THREE.Vector3(0, height * 0.68, 0)),
      radius: crown * random.between(0.28, 0.45),
    }
  })
  const branches = clumps
    .slice(0, 8)
    .map(({ centre }) => limbMesh([0, height * 0.38, 0], centre.toArray(), [0.05, 0.02], bark))
  return group(
    limbMesh([0, 0, 0], [0, height * 0.6, 0], [height * 0.022, height * 0.012], bark),
    ...branches,
    leaves(random, { clumps, leavesEach: 260, leafSize: 0.17, hue: 88 }),
  )
}

/** A clipped hedge along x. */
export function hedge(seed, length, height, depth) {
  const random = seededRandom(seed)
  const clumps = Array.from({ length: Math.ceil(length / 0.35) }, (_, i) => ({
    centre: new THREE.Vector3(
      -length / 2 + i * 0.35,
      height * 0.5 + random.between(-0.05, 0.05),
      random.between(-0.08, 0.08) * depth,
    ),
    radius: Math.max(height, depth) * random.between(0.48, 0.56),
  }))
  return leaves(random, { clumps, leavesEach: 230, leafSize: 0.12, hue: 95 })
}

/** A palm-like plant in a pot, about `height` metres tall. */
export function pottedPlant(seed, height, potColour = '#3b3d40') {
  const random = seededRandom(seed)
  const pot = solid(new THREE.CylinderGeometry(0.2, 0.15, 0.38, 24), surface({ color: potColour, roughness: 0.5 }))
  const soil = solid(new THREE.CylinderGeometry(0.18, 0.18, 0.02, 24), surface({ color: '#2b2119' }))
  const green = surface({ color: '#3f6b34', side: THREE.DoubleSide, roughness: 0.55 })
  const fronds = Array.from({ length: 30 }, (_, i) => {
    const frond = solid(frondGeometry(height * random.between(0.4, 0.72), random.between(0.25, 1)), green)
    return place(frond, 0, 0.36, 0, i * 2.4)
  })
  return group(place(pot, 0, 0.19, 0), place(soil, 0, 0.37, 0), ...fronds)
}

function frondGeometry(length, droop) {
  const steps = 8
  const geometry = new THREE.PlaneGeometry(0.09, length, 2, steps)
  const position = geometry.getAttribute('position')
  for (let i = 0; i < position.count; i++) {
    const t = position.getY(i) / length + 0.5
    const width = Math.sin(Math.PI * Math.min(1, t * 0.92 + 0.08)) ** 0.7
    position.setXYZ(i, position.getX(i) * width, length * (t - droop * 0.42 * t * t * t), length * droop * 0.75 * t * t)
  }
  geometry.computeVertexNormals()
  return geometry
}
