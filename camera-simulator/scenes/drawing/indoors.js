import * as THREE from 'three'
import { spreadPoint } from './random.js'
import { place, solid } from './solids.js'

/** A flat lamp in the ceiling, drawn as a bright rectangle facing down. */
function ceilingPanel([width, depth], colour, strength) {
  const glow = new THREE.MeshBasicMaterial({ color: new THREE.Color(colour).multiplyScalar(strength) })
  const panel = solid(new THREE.PlaneGeometry(width, depth).rotateX(Math.PI / 2), glow)
  panel.castShadow = false
  return panel
}

/** Puts a lamp panel at each [x, z] just below the ceiling. */
export const ceilingPanels = (size, { colour, glow, height, at }) =>
  at.map(([x, z]) => place(ceilingPanel(size, colour, glow), x, height - 0.015, z))

/**
 * Light of many equal rectangles at `height`, facing down: each sample shines from a random place on one of them.
 * `candela` is the strength of one panel.
 */
export function panelLamps({ at, size: [width, depth], height, colour, candela }) {
  const light = new THREE.SpotLight(colour, candela * at.length, 0, 1.36, 0.9, 2)
  light.castShadow = true
  light.shadow.mapSize.set(1024, 1024)
  light.shadow.bias = -0.002
  light.shadow.normalBias = 0.02
  light.shadow.camera.near = 0.1
  light.shadow.camera.far = 40
  return {
    light,
    place: (i) => {
      const [x, z] = at[i % at.length]
      const [u, v] = spreadPoint(Math.floor(i / at.length) + (i % at.length) * 0.37)
      light.position.set(x + (u - 0.5) * width, height - 0.03, z + (v - 0.5) * depth)
      light.target.position.set(light.position.x, 0, light.position.z)
    },
  }
}

/** One soft lamp from above for those who move; it shadows only themselves and what they stand on. */
export function overheadLight({ direction, colour, strength, centre, reach }) {
  const light = new THREE.DirectionalLight(colour, strength)
  light.castShadow = true
  light.shadow.mapSize.set(2048, 2048)
  light.shadow.bias = -0.001
  light.shadow.normalBias = 0.03
  light.shadow.radius = 4
  Object.assign(light.shadow.camera, {
    left: -reach,
    right: reach,
    top: reach,
    bottom: -reach,
    near: 0.5,
    far: reach * 4,
  })
  light.position
    .copy(direction)
    .normalize()
    .multiplyScalar(reach * 2)
    .add(centre)
  light.target.position.copy(centre)
  return light
}

/** A ceiling or an outer wall lets the sampled ambient light pass, which stands for light thrown back and forth in the room. */
export function lightPasses(mesh) {
  mesh.castShadow = false
  return mesh
}

/** The colour of light from a direction in a room with pale walls. */
export const roomLight = (colour, strength) => {
  const light = new THREE.Color(colour)
  return ({ y }) => light.clone().multiplyScalar(strength * (0.55 + 0.45 * y))
}
