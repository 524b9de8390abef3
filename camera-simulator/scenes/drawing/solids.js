import * as THREE from 'three'

/** Puts an object at x, y, z (metres), turned round its upright axis by `turn` radians. */
export const place = (object, ...[x, y, z, turn = 0]) => {
  object.position.set(x, y, z)
  object.rotation.y = turn
  return object
}

/** A matt or glossy surface; `gloss` (0-1) makes a floor mirror the room. */
export function surface({ gloss, ...options }) {
  const material = new THREE.MeshStandardMaterial({ roughness: 0.85, ...options })
  if (gloss) material.userData.gloss = gloss
  return material
}

/** A mesh that takes and throws shadows. */
export function solid(geometry, material) {
  const mesh = new THREE.Mesh(geometry, material)
  mesh.castShadow = true
  mesh.receiveShadow = true
  return mesh
}

/** A box with its bottom on y, centred on x and z; textures are laid in metres divided by `texelMetres`. */
export function box([width, height, depth], material, texelMetres = 0) {
  const geometry = new THREE.BoxGeometry(width, height, depth)
  geometry.translate(0, height / 2, 0)
  if (texelMetres) layTexture(geometry, [width, height, depth], texelMetres)
  return solid(geometry, material)
}

function layTexture(geometry, [width, height, depth], metres) {
  const uv = geometry.getAttribute('uv')
  const normal = geometry.getAttribute('normal')
  for (let i = 0; i < uv.count; i++) {
    const across = Math.abs(normal.getX(i)) > 0.5 ? depth : width
    const up = Math.abs(normal.getY(i)) > 0.5 ? depth : height
    uv.setXY(i, (uv.getX(i) * across) / metres, (uv.getY(i) * up) / metres)
  }
}

/** A horizontal rectangle facing up, its texture laid once per `texelMetres`. */
export function ground(width, depth, material, texelMetres = 1) {
  const geometry = new THREE.PlaneGeometry(width, depth)
  geometry.rotateX(-Math.PI / 2)
  const uv = geometry.getAttribute('uv')
  for (let i = 0; i < uv.count; i++) uv.setXY(i, (uv.getX(i) * width) / texelMetres, (uv.getY(i) * depth) / texelMetres)
  const mesh = solid(geometry, material)
  mesh.castShadow = false
  return mesh
}

/** An upright tube from y=0. */
export const post = (radius, height, material, sides = 16) => {
  const geometry = new THREE.CylinderGeometry(radius, radius, height, sides)
  geometry.translate(0, height / 2, 0)
  return solid(geometry, material)
}

/** A thin rod between two points. */
export function rod(a, b, radius, material) {
  const [from, to] = [new THREE.Vector3(...a), new THREE.Vector3(...b)]
  const mesh = solid(new THREE.CylinderGeometry(radius, radius, from.distanceTo(to), 6), material)
  mesh.position.copy(from).add(to).multiplyScalar(0.5)
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.sub(from).normalize())
  return mesh
}

/** Many copies of one geometry; `at` lists {position, turn, scale?, colour?}. */
export function copies(geometry, material, at) {
  const mesh = new THREE.InstancedMesh(geometry, material, at.length)
  const matrix = new THREE.Matrix4()
  const turned = new THREE.Quaternion()
  const up = new THREE.Vector3(0, 1, 0)
  for (const [i, { position, turn = 0, scale = [1, 1, 1], colour }] of at.entries()) {
    matrix.compose(new THREE.Vector3(...position), turned.setFromAxisAngle(up, turn), new THREE.Vector3(...scale))
    mesh.setMatrixAt(i, matrix)
    if (colour) mesh.setColorAt(i, new THREE.Color(colour))
  }
  mesh.castShadow = true
  mesh.receiveShadow = true
  mesh.frustumCulled = false
  return mesh
}

export function group(...children) {
  const together = new THREE.Group()
  together.add(...children)
  return together
}

/** A tapering branch or leg between two points. */
export function limbMesh(a, b, [radiusA, radiusB], material) {
  const [from, to] = [new THREE.Vector3(...a), new THREE.Vector3(...b)]
  const mesh = solid(new THREE.CylinderGeometry(radiusB, radiusA, from.distanceTo(to), 10), material)
  mesh.position.copy(from).add(to).multiplyScalar(0.5)
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.sub(from).normalize())
  return mesh
}
