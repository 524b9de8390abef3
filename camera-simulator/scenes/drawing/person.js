import * as THREE from 'three'
import { bodyGeometry, restJoints } from './person-body.js'

const v = (x, y, z) => new THREE.Vector3(x, y, z)
const rest = Object.fromEntries(restJoints.map(([name, , at]) => [name, v(...at)]))
const direction = (from, to) => rest[to].clone().sub(rest[from]).normalize()
const legLengths = [rest.leftThigh.distanceTo(rest.leftShin), rest.leftShin.distanceTo(rest.leftFoot)]
const strideMetres = 1.42
const stance = 0.61

/**
 * A person with clothes after `look`. `pose` moves the body: distance walked in metres, `going` 0 (standing) to 1 (walking),
 * and what the arms do.
 */
export function person(look) {
  const bones = Object.fromEntries(restJoints.map(([name]) => [name, Object.assign(new THREE.Bone(), { name })]))
  for (const [name, parent, at] of restJoints) {
    bones[name].position.set(...at)
    if (!parent) continue
    bones[name].position.sub(rest[parent])
    bones[parent].add(bones[name])
  }
  const material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.82 })
  const mesh = new THREE.SkinnedMesh(bodyGeometry(look), material)
  mesh.add(bones.pelvis)
  mesh.bind(new THREE.Skeleton(restJoints.map(([name]) => bones[name])))
  mesh.castShadow = true
  mesh.receiveShadow = true
  mesh.frustumCulled = false
  const object = new THREE.Group()
  object.add(mesh)
  object.scale.setScalar((look.height ?? 1.75) / 1.75)
  const body = { object, bones, arms: { left: 'swing', right: 'swing' } }
  return Object.assign(body, { pose: (motion) => pose(body, motion), occluders: () => occludersOf(body) })
}

function pose({ bones, arms }, { distance, going, reach = 0, look = 0, idle = 0 }) {
  const phase = (distance / strideMetres) % 1
  const sway = Math.sin(phase * 2 * Math.PI) * going
  const breath = Math.sin(idle)
  bones.pelvis.position.set(
    0.012 * breath * (1 - going) - 0.02 * sway,
    0.95 - 0.022 * going - 0.02 * going * Math.cos(phase * 4 * Math.PI),
    0,
  )
  bones.pelvis.rotation.set(0, 0.09 * Math.cos(phase * 2 * Math.PI) * going, 0.035 * sway)
  bones.spine.rotation.set(0.05 * going + 0.04, -0.08 * Math.cos(phase * 2 * Math.PI) * going, -0.035 * sway)
  bones.chest.rotation.set(0.01 * breath, -0.1 * Math.cos(phase * 2 * Math.PI) * going, 0)
  bones.head.rotation.set(0.06 + reach * 0.1, look + 0.07 * Math.cos(phase * 2 * Math.PI) * going, 0)
  for (const [side, s, offset] of [
    ['left', 1, 0],
    ['right', -1, 0.5],
  ]) {
    const step = (phase + offset) % 1
    poseLeg({ bones, side, s }, footAt(step, going, s))
    poseArm(
      { bones, side, s },
      armAngles({ kind: arms[side], swing: Math.cos((step + 0.02) * 2 * Math.PI) * going, reach, breath }),
    )
  }
}

/** Where the foot is in a stride that begins with this heel touching the ground: z forward, y up, pitch (toes up is positive). */
function footAt(step, going, s) {
  const half = (strideMetres * stance) / 2
  let z
  let lift = 0
  let pitch
  if (step < stance) {
    const t = step / stance
    z = half - t * 2 * half
    pitch = t < 0.16 ? 0.36 * (1 - t / 0.16) : -0.62 * Math.max(0, (t - 0.58) / 0.42) ** 1.7
  } else {
    const t = (step - stance) / (1 - stance)
    z = -half + 2 * half * (t - (Math.sin(2 * Math.PI * t) / (2 * Math.PI)) * 0.75)
    lift = 0.055 * Math.sin(Math.PI * t) ** 1.5
    pitch =
      -0.62 * (1 - t) ** 2 * (1 - t * 0.3) - 0.35 * Math.sin(Math.PI * Math.min(1, t * 1.4)) * (1 - t) + 0.36 * t ** 2
  }
  const turned = pitch * going
  const pivot = turned > 0 ? -0.065 : 0.13
  const ankle = v(0, 0.085, -0.02 - pivot).applyAxisAngle(v(1, 0, 0), -turned)
  return {
    ankle: v(s * (0.105 - 0.035 * going), ankle.y + lift * going, (z - 0.04) * going + ankle.z + pivot),
    pitch: turned,
  }
}

const up = v(0, 1, 0)

/** Turns a bone so that its rest direction points along `target`, given in the parent's frame. */
const aim = (bone, restDirection, target) => bone.quaternion.setFromUnitVectors(restDirection, target)

function poseLeg({ bones, side }, { ankle, pitch }) {
  const pelvis = bones.pelvis
  pelvis.updateMatrix()
  const intoPelvis = pelvis.matrix.clone().invert()
  const hip = bones[`${side}Thigh`].position
  const target = ankle.applyMatrix4(intoPelvis).sub(hip)
  const [upper, lower] = legLengths
  const length = Math.min(target.length(), (upper + lower) * 0.998)
  const along = target.clone().normalize()
  const forward = v(0, 0, 1).addScaledVector(along, -along.z).normalize()
  const bend = Math.acos(Math.min(1, (upper ** 2 + length ** 2 - lower ** 2) / (2 * upper * length)))
  const knee = along
    .clone()
    .multiplyScalar(Math.cos(bend) * upper)
    .addScaledVector(forward, Math.sin(bend) * upper)
  const shin = along.clone().multiplyScalar(length).sub(knee).normalize()
  const thighBone = bones[`${side}Thigh`]
  const shinBone = bones[`${side}Shin`]
  const footBone = bones[`${side}Foot`]
  aim(thighBone, direction(`${side}Thigh`, `${side}Shin`), knee.normalize())
  aim(shinBone, direction(`${side}Shin`, `${side}Foot`), shin.applyQuaternion(thighBone.quaternion.clone().invert()))
  const parent = pelvis.quaternion.clone().multiply(thighBone.quaternion).multiply(shinBone.quaternion).invert()
  footBone.quaternion.copy(parent).multiply(new THREE.Quaternion().setFromAxisAngle(v(1, 0, 0), -pitch))
}

/** Angles of one arm: shoulder forward, shoulder outward, elbow bend, elbow inward; radians. */
function armAngles({ kind, swing, reach, breath }) {
  switch (kind) {
    case 'push':
      return { forward: 0.62 + 0.02 * swing, outward: 0.1, elbow: 0.75, inward: 0 }
    case 'hold':
      return { forward: 0.28 + 0.03 * swing, outward: 0.12, elbow: 1.35, inward: 0.25 }
    case 'phone':
      return { forward: 0.75, outward: 0.25, elbow: 2.25, inward: 0.35 }
    case 'carry':
      return { forward: 0.02 - 0.12 * swing, outward: 0.1, elbow: 0.12, inward: 0 }
    case 'pull':
      return { forward: -0.5 + 0.05 * swing, outward: 0.16, elbow: 0.12, inward: 0 }
    case 'reach':
      return {
        forward: -0.42 * swing * (1 - reach) + reach * (1.45 + 0.08 * breath),
        outward: 0.1,
        elbow: 0.25 + 0.2 * reach,
        inward: 0.1 * reach,
      }
    default:
      return {
        forward: -0.42 * swing + 0.03 * breath,
        outward: 0.1,
        elbow: 0.22 + 0.2 * Math.max(0, -swing),
        inward: 0.05,
      }
  }
}

function poseArm({ bones, side, s }, { forward, outward, elbow, inward }) {
  const hang = v(s * Math.sin(outward), -Math.cos(outward), 0)
  const upper = hang.clone().applyAxisAngle(v(1, 0, 0), -forward)
  const fore = hang
    .clone()
    .applyAxisAngle(v(1, 0, 0), -forward - elbow)
    .applyAxisAngle(up, -s * inward)
  const armBone = bones[`${side}Arm`]
  aim(armBone, direction(`${side}Arm`, `${side}Forearm`), upper)
  aim(
    bones[`${side}Forearm`],
    direction(`${side}Forearm`, `${side}Hand`),
    fore.applyQuaternion(armBone.quaternion.clone().invert()),
  )
}

const roundings = [
  ['pelvis', 0.16],
  ['chest', 0.18],
  ['head', 0.1],
  ['leftShin', 0.09],
  ['rightShin', 0.09],
  ['leftFoot', 0.1],
  ['rightFoot', 0.1],
]

/** Spheres that stand for the body when it darkens floor and walls near it: x, y, z, radius. */
function occludersOf({ object, bones }) {
  if (!object.visible) return []
  object.updateWorldMatrix(true, true)
  return roundings.map(([name, radius]) => {
    const at = bones[name].getWorldPosition(v())
    return new THREE.Vector4(at.x, at.y, at.z, radius)
  })
}

/** Fastens a thing to a bone; `at` is where it is on the standing body (1.75 m), in metres. */
export function wear(body, boneName, thing, at) {
  thing.position.set(...at).sub(rest[boneName])
  body.bones[boneName].add(thing)
  return body
}
