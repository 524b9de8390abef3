import * as THREE from 'three'
import { joinOverlapping, shownArea, touchedAreas, within } from './changed-areas.js'
import { bakeAmbient, bakeGeometry, bakeLamps, colourTarget, layer, screenPass, screenQuad } from './light-bake.js'
import { mergedByMaterial } from './merge.js'
import {
  blurShader,
  brightShader,
  cameraShader,
  chromaShader,
  depthShader,
  lumaShader,
  maxOccluders,
  occlusionShader,
} from './shaders.js'

const output = { width: 1920, height: 1080 }

/**
 * Takes the pictures of one stage. `quality` scales the size of the drawing and the number of light samples (1 is final).
 */
export async function openStudio(buildStage, quality) {
  const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true })
  renderer.autoClear = false
  renderer.shadowMap.enabled = true
  renderer.shadowMap.type = THREE.PCFShadowMap
  renderer.setClearColor(0x00_00_00, 0)
  const width = Math.round((output.width * quality.size) / 2) * 2
  const height = Math.round((output.height * quality.size) / 2) * 2
  const scene = new THREE.Scene()
  const root = new THREE.Group()
  scene.add(root)
  const stage = await buildStage(renderer)
  root.add(mergedByMaterial(stage.still), stage.moving)
  if (stage.floor) root.add(stage.floor)
  stage.moving.traverse((object) => object.layers.set(layer.mover))
  scene.environment = stage.environment
  scene.environmentIntensity = stage.environmentIntensity ?? 1
  const camera = stage.camera
  camera.aspect = width / height
  camera.updateProjectionMatrix()
  const studio = { renderer, scene, root, camera, stage, width, height }
  studio.still = bakeStill(studio, quality.samples)
  studio.passes = preparePasses(studio)
  studio.touchedBefore = [new THREE.Box2(new THREE.Vector2(0, 0), new THREE.Vector2(1, 1))]
  return { takePicture: (frame) => takePicture(studio, frame), canvas: renderer.domElement }
}

function bakeStill(studio, samples) {
  const { stage, root } = studio
  stage.place(0)
  const still = { ambient: bakeAmbient(studio, samples), lamps: bakeLamps(studio, samples) }
  still.geometry = bakeGeometry(studio)
  still.mirror = bakeMirror(studio, Math.ceil(samples / 4))
  root.scale.y = 1
  root.updateMatrixWorld(true)
  return still
}

/** The still scene as a perfect mirror at floor level would show it (the floor itself is taken away). */
function bakeMirror(studio, samples) {
  const { stage, root, renderer, width, height } = studio
  const mirror = colourTarget(width / 2, height / 2)
  if (!stage.floor) return mirror
  root.scale.y = -1
  stage.floor.visible = false
  const ambient = bakeAmbient(studio, samples)
  const lamps = bakeLamps(studio, samples)
  stage.floor.visible = true
  const sum =
    'uniform sampler2D a; uniform sampler2D b; varying vec2 vUv; void main() { gl_FragColor = texture2D(a, vUv) + texture2D(b, vUv); }'
  screenPass(sum, { a: { value: ambient.texture }, b: { value: lamps.texture } })(renderer, mirror)
  ambient.dispose()
  lamps.dispose()
  return mirror
}

function preparePasses(studio) {
  const { renderer, width, height, still, stage, camera } = studio
  const key = stage.key
  studio.root.add(key, key.target)
  const fill = new THREE.HemisphereLight(stage.fill.fromAbove, stage.fill.fromBelow, stage.fill.strength)
  studio.root.add(fill)
  for (const light of [key, key.target, fill]) light.layers.set(layer.mover)
  key.shadow.camera.layers.set(layer.mover)
  const movers = colourTarget(width, height, { depthBuffer: true, samples: 4, resolveDepthBuffer: false })
  const mirrorMovers = colourTarget(width / 2, height / 2, { depthBuffer: true })
  const occlusion = colourTarget(width / 2, height / 2)
  const shownTargets = {
    shown: new THREE.WebGLRenderTarget(output.width, output.height),
    luma: new THREE.WebGLRenderTarget(output.width / 4, output.height),
    chroma: new THREE.WebGLRenderTarget(output.width / 8, output.height),
  }
  const lampDirection = key.position.clone().sub(key.target.position).normalize()
  const stillDepth = depthOfStill(studio)
  studio.root.add(stillDepth)
  const shade = {
    positions: { value: still.geometry.textures[0] },
    normals: { value: still.geometry.textures[1] },
    occluders: { value: Array.from({ length: maxOccluders }, () => new THREE.Vector4()) },
    occluderCount: { value: 0 },
    shadowMap: { value: null },
    shadowMatrix: { value: key.shadow.matrix },
    shadowBlur: { value: stage.shadowBlur },
  }
  const finish = {
    ambient: { value: still.ambient.texture },
    lamps: { value: still.lamps.texture },
    occlusion: { value: occlusion.texture },
    movers: { value: movers.texture },
    positions: { value: still.geometry.textures[0] },
    mirrorStill: { value: still.mirror.texture },
    mirrorMovers: { value: mirrorMovers.texture },
    glow: { value: bakeGlow(renderer, still).texture },
    eye: { value: camera.getWorldPosition(new THREE.Vector3()) },
    balance: { value: stage.look.balance },
    exposure: { value: stage.look.exposure },
    saturation: { value: stage.look.saturation },
    distortion: { value: stage.look.distortion },
    shadowStrength: { value: stage.look.shadowStrength },
    occlusionStrength: { value: stage.look.occlusionStrength },
    aspect: { value: width / height },
  }
  return {
    targets: { movers, mirrorMovers, occlusion, ...shownTargets },
    shade,
    finish,
    lampDirection,
    lens: { aspect: width / height, distortion: stage.look.distortion },
    stillDepth,
    drawShade: screenPass(occlusionShader, shade),
    drawShown: screenPass(cameraShader, finish),
    packLuma: screenPass(lumaShader, { shown: { value: shownTargets.shown.texture } }),
    packChroma: screenPass(chromaShader, { shown: { value: shownTargets.shown.texture } }),
  }
}

/** Puts the depth of the still scene before the movers are drawn; shown only for that. */
function depthOfStill({ still, camera }) {
  const uniforms = {
    positions: { value: still.geometry.textures[0] },
    worldToPicture: { value: camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse) },
  }
  const writing = { depthTest: true, depthFunc: THREE.AlwaysDepth, depthWrite: true, colorWrite: false }
  const quad = screenQuad(depthShader, uniforms, writing)
  quad.layers.set(layer.mover)
  quad.renderOrder = -1
  quad.visible = false
  return quad
}

/** The soft halo that a lens makes around lamps and bright windows; it does not change while the camera runs. */
function bakeGlow(renderer, still) {
  const [a, b] = [colourTarget(480, 270), colourTarget(480, 270)]
  const uniforms = { first: { value: still.ambient.texture }, second: { value: still.lamps.texture } }
  screenPass(brightShader, uniforms)(renderer, a)
  for (let round = 0; round < 3; round++) {
    const reach = 1 + round * 1.5
    screenPass(blurShader, { picture: { value: a.texture }, stride: { value: new THREE.Vector2(reach / 480, 0) } })(
      renderer,
      b,
    )
    screenPass(blurShader, { picture: { value: b.texture }, stride: { value: new THREE.Vector2(0, reach / 270) } })(
      renderer,
      a,
    )
  }
  return a
}

/**
 * Draws the movers alone, hidden where still things stand before them, on a transparent ground. All in one go and within one
 * area: each further call would resolve the many samples of the whole target once more, which costs most of all here.
 */
function drawMovers({ renderer, scene, camera, passes }, area) {
  const { movers } = passes.targets
  within(renderer, movers, area, () => {
    renderer.clear()
    camera.layers.set(layer.mover)
    passes.stillDepth.visible = true
    renderer.render(scene, camera)
    passes.stillDepth.visible = false
  })
}

/** The mirror image of the movers in the floor. */
function drawMirrored(studio, target) {
  const { renderer, root, scene, camera } = studio
  renderer.setRenderTarget(target)
  renderer.clear()
  root.scale.y = -1
  camera.layers.set(layer.mover)
  renderer.render(scene, camera)
  root.scale.y = 1
}

/** Draws one frame and returns it. Pixels that nobody touches stay as they were. */
function takePicture(studio, frame) {
  const { renderer, root, stage, passes, camera } = studio
  const { targets, shade } = passes
  const crowd = stage.place(frame)
  root.updateMatrixWorld(true)
  const spheres = crowd.flat().slice(0, maxOccluders)
  shade.occluderCount.value = spheres.length
  for (const [i, sphere] of spheres.entries()) shade.occluders.value[i].copy(sphere)
  const touched = touchedAreas(crowd, { camera, lampDirection: passes.lampDirection, mirrors: Boolean(stage.floor) })
  const stale = joinOverlapping([...touched, ...studio.touchedBefore])
  studio.touchedBefore = touched
  if (stage.floor) drawMirrored(studio, targets.mirrorMovers)
  drawMovers(
    studio,
    stale.reduce((all, area) => all.union(area), new THREE.Box2()),
  )
  shade.shadowMap.value = stage.key.shadow.map.depthTexture
  for (const area of stale)
    within(renderer, targets.occlusion, area, () => passes.drawShade(renderer, targets.occlusion))
  for (const area of stale)
    within(renderer, targets.shown, shownArea(area, passes.lens), () => passes.drawShown(renderer, targets.shown))
  return readPicture(studio)
}

/** The shown picture as planar 4:2:0 (Y, U, V), the top row first. */
function readPicture({ renderer, passes }) {
  const { luma, chroma } = passes.targets
  passes.packLuma(renderer, luma)
  passes.packChroma(renderer, chroma)
  const picture = new Uint8Array((output.width * output.height * 3) / 2)
  const lumaBytes = output.width * output.height
  renderer.readRenderTargetPixels(luma, 0, 0, luma.width, luma.height, picture.subarray(0, lumaBytes))
  renderer.readRenderTargetPixels(chroma, 0, 0, chroma.width, chroma.height, picture.subarray(lumaBytes))
  return picture
}
