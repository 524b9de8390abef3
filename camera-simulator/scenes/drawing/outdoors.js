import * as THREE from 'three'
import { tilingClouds } from './random.js'
import { paintedTexture } from './textures.js'

/** A late afternoon sky with thin clouds, as a dome around the scene. */
export function skyDome(seed, { zenith, horizon, cloud }) {
  const texture = paintedTexture([2048, 1024], (pen, width, height) => {
    const shade = pen.createLinearGradient(0, 0, 0, height / 2)
    shade.addColorStop(0, zenith)
    shade.addColorStop(0.65, horizon)
    shade.addColorStop(1, horizon)
    pen.fillStyle = shade
    pen.fillRect(0, 0, width, height)
    spreadClouds(pen, { seed, cloud })
  })
  const material = new THREE.MeshBasicMaterial({ map: texture, side: THREE.BackSide, fog: false })
  return new THREE.Mesh(new THREE.SphereGeometry(180, 48, 24), material)
}

function spreadClouds(pen, { seed, cloud }) {
  const { width, height } = pen.canvas
  const noise = tilingClouds(seed, { cells: 4, octaves: 6 })
  const image = pen.getImageData(0, 0, width, height / 2)
  const tint = new THREE.Color(cloud).convertLinearToSRGB()
  for (let y = 0, at = 0; y < height / 2; y++)
    for (let x = 0; x < width; x++, at += 4) {
      const density = Math.max(0, noise((x / width) * 2, (y / height) * 5) * 1.6 - 0.05)
      const share = Math.min(0.85, density) * Math.min(1, y / 120)
      for (const [c, part] of [tint.r, tint.g, tint.b].entries())
        image.data[at + c] = image.data[at + c] * (1 - share) + part * 255 * share
    }
  pen.putImageData(image, 0, 0)
}

/** What shiny things mirror: the given objects, seen from the middle of the scene. */
export function mirroredSurroundings(renderer, ...objects) {
  const surroundings = new THREE.Scene()
  surroundings.add(...objects)
  const generator = new THREE.PMREMGenerator(renderer)
  const { texture } = generator.fromScene(surroundings, 0.02, 0.1, 400)
  generator.dispose()
  return texture
}

/** A sun that is not a point: each sample comes from another place of a disc `blur` radians wide. */
export function sunLamp({ direction, colour, strength, blur, reach, centre }) {
  const light = sunLight({ direction, colour, strength, reach, centre })
  const across = new THREE.Vector3().crossVectors(direction, new THREE.Vector3(0, 1, 0)).normalize()
  const upwards = new THREE.Vector3().crossVectors(across, direction)
  const place = (i, count) => {
    const angle = i * 2.399_96
    const radius = Math.sqrt((i + 0.5) / count) * blur
    light.position
      .copy(direction)
      .addScaledVector(across, Math.cos(angle) * radius)
      .addScaledVector(upwards, Math.sin(angle) * radius)
      .multiplyScalar(reach * 3)
      .add(centre)
  }
  return { light, place }
}

export function sunLight({ direction, colour, strength, reach, centre, mapSize = 4096 }) {
  const light = new THREE.DirectionalLight(colour, strength)
  light.castShadow = true
  light.shadow.mapSize.set(mapSize, mapSize)
  light.shadow.bias = -0.0004
  light.shadow.normalBias = 0.03
  Object.assign(light.shadow.camera, {
    left: -reach,
    right: reach,
    top: reach,
    bottom: -reach,
    near: 1,
    far: reach * 6,
  })
  light.target.position.copy(centre)
  light.position
    .copy(direction)
    .multiplyScalar(reach * 3)
    .add(centre)
  return light
}
