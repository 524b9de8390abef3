import * as THREE from 'three'
import { spreadPoint } from './random.js'
import { addShader, copyVertexShader, positionShader } from './shaders.js'

/** Static things are drawn once and kept; movers are drawn over them in each frame. */
export const layer = { still: 0, mover: 1 }

// The light of the sky is sampled with shadows here, so the environment map may only give reflections; as three ships it,
// it would add unshadowed diffuse light a second time.
THREE.ShaderChunk.lights_fragment_maps = THREE.ShaderChunk.lights_fragment_maps.replace(
  'iblIrradiance += getIBLIrradiance( geometryNormal );',
  '',
)

/** A rectangle that covers the whole picture whatever the camera, coloured by a fragment shader. */
export function screenQuad(fragmentShader, uniforms, options = {}) {
  const material = new THREE.ShaderMaterial({
    vertexShader: copyVertexShader,
    fragmentShader,
    uniforms,
    depthTest: false,
    depthWrite: false,
    ...options,
  })
  const quad = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material)
  quad.frustumCulled = false
  return quad
}

/** A full-screen draw of one fragment shader into a target. */
export function screenPass(fragmentShader, uniforms, options) {
  const quad = screenQuad(fragmentShader, uniforms, options)
  const camera = new THREE.Camera()
  return (renderer, target) => {
    renderer.setRenderTarget(target)
    renderer.render(quad, camera)
  }
}

export function colourTarget(width, height, options = {}) {
  return new THREE.WebGLRenderTarget(width, height, { type: THREE.HalfFloatType, depthBuffer: false, ...options })
}

/**
 * Averages many renders of the still part of a stage, each with its own subpixel offset and its own sample of the lights:
 * edges come out smooth, shadows soft, corners darker, as in a real room.
 */
function average(studio, samples, placeLight) {
  const { renderer, scene, camera, width, height } = studio
  const single = colourTarget(width, height, { depthBuffer: true })
  const sum = colourTarget(width, height, { type: THREE.FloatType })
  const weight = { value: 1 / samples }
  const add = screenPass(addShader, { picture: { value: single.texture }, weight }, additive)
  renderer.setRenderTarget(sum)
  renderer.clear()
  camera.layers.set(layer.still)
  for (let i = 0; i < samples; i++) {
    const [u, v] = spreadPoint(i)
    camera.setViewOffset(width, height, u - 0.5, v - 0.5, width, height)
    placeLight(i)
    renderer.setRenderTarget(single)
    renderer.clear()
    renderer.render(scene, camera)
    add(renderer, sum)
  }
  camera.clearViewOffset()
  single.dispose()
  return sum
}

const additive = {
  blending: THREE.CustomBlending,
  blendSrc: THREE.OneFactor,
  blendDst: THREE.OneFactor,
  transparent: true,
}

/** Light from everywhere: one direction of the sky (or of a room's bright surfaces) per sample. */
export function bakeAmbient(studio, samples) {
  const { stage } = studio
  const light = new THREE.DirectionalLight()
  const reach = stage.shadowReach
  light.castShadow = true
  light.shadow.mapSize.set(2048, 2048)
  light.shadow.bias = -0.0005
  light.shadow.normalBias = 0.02
  Object.assign(light.shadow.camera, {
    left: -reach,
    right: reach,
    top: reach,
    bottom: -reach,
    near: 1,
    far: reach * 6,
  })
  const bounce = new THREE.HemisphereLight(stage.bounce.fromAbove, stage.bounce.fromBelow, stage.bounce.strength)
  studio.root.add(light, light.target, bounce)
  light.target.position.copy(stage.shadowCentre)
  const baked = average(studio, samples, (i) => {
    const [u, v] = spreadPoint(i * 7 + 3)
    const height = (i + 0.5) / samples
    const flat = Math.sqrt(1 - height * height)
    const direction = new THREE.Vector3(flat * Math.cos(u * 2 * Math.PI), height, flat * Math.sin(u * 2 * Math.PI))
    light.position
      .copy(direction)
      .multiplyScalar(reach * 3)
      .add(stage.shadowCentre)
    light.color.copy(stage.skyLight(direction, v))
    light.intensity = 2 * Math.PI
  })
  studio.root.remove(light, light.target, bounce)
  light.dispose()
  return baked
}

/** Light from the lamps or the sun: `stage.lamp` places one light per sample. */
export function bakeLamps(studio, samples) {
  const { scene, stage, root } = studio
  const restore = silenceOwnLight(scene)
  const light = stage.lamp.light
  root.add(light, light.target)
  const baked = average(studio, samples, (i) => stage.lamp.place(i, samples))
  root.remove(light, light.target)
  restore()
  return baked
}

/** Switches off what shines by itself or mirrors the sky, so that a bake of the lamps holds nothing twice. */
function silenceOwnLight(scene) {
  const { environment } = scene
  const changed = []
  scene.environment = null
  scene.traverse(({ material }) => {
    if (!material || changed.some((entry) => entry.material === material)) return
    changed.push({ material, color: material.color?.clone(), glow: material.emissiveIntensity })
    if (material.isMeshBasicMaterial) material.color.set(0x00_00_00)
    if (material.emissiveIntensity) material.emissiveIntensity = 0
  })
  return () => {
    scene.environment = environment
    for (const { material, color, glow } of changed) {
      if (color) material.color.copy(color)
      if (glow !== undefined) material.emissiveIntensity = glow
    }
  }
}

/**
 * What is at each pixel of the still picture: position in metres and how glossy it is (material.userData.gloss),
 * and the normal. Shadows of movers and reflections on the floor are computed from it.
 */
export function bakeGeometry(studio) {
  const { renderer, scene, camera, width, height } = studio
  const target = new THREE.WebGLRenderTarget(width, height, {
    count: 2,
    type: THREE.FloatType,
    minFilter: THREE.NearestFilter,
    magFilter: THREE.NearestFilter,
  })
  const original = new Map()
  scene.traverse((object) => {
    if (!object.isMesh) return
    original.set(object, object.material)
    object.material = new THREE.ShaderMaterial({
      ...positionShader,
      side: object.material.side,
      uniforms: { gloss: { value: object.material.userData.gloss ?? 0 } },
    })
  })
  camera.layers.set(layer.still)
  renderer.setRenderTarget(target)
  renderer.clear()
  renderer.render(scene, camera)
  for (const [object, material] of original) object.material = material
  return target
}
