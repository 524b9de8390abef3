import * as THREE from 'three'
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js'
import { solid } from './solids.js'

/** The same still things as one mesh per material: drawing them hundreds of times for soft light is then quick. */
export function mergedByMaterial(still) {
  still.updateMatrixWorld(true)
  const parts = new Map()
  const merged = new THREE.Group()
  const kept = []
  still.traverse((object) => {
    if (!object.isMesh) return
    if (object.isInstancedMesh) {
      kept.push(object)
      return
    }
    const key = `${object.material.uuid} ${object.castShadow}`
    if (!parts.has(key)) parts.set(key, { material: object.material, throws: object.castShadow, geometries: [] })
    parts.get(key).geometries.push(ofWorld(object))
  })
  for (const { material, throws, geometries } of parts.values()) {
    const mesh = solid(mergeGeometries(geometries), material)
    mesh.castShadow = throws
    merged.add(mesh)
  }
  for (const object of kept) merged.add(object)
  return merged
}

function ofWorld({ geometry, material, matrixWorld }) {
  const own = new THREE.BufferGeometry()
  for (const name of ['position', 'normal', 'uv', ...(material.vertexColors ? ['color'] : [])]) {
    const attribute = geometry.getAttribute(name)
    const count = geometry.getAttribute('position').count
    own.setAttribute(
      name,
      attribute ? attribute.clone() : new THREE.Float32BufferAttribute(new Float32Array(count * 2), 2),
    )
  }
  own.setIndex(geometry.index ? geometry.index.clone() : [...Array(own.getAttribute('position').count).keys()])
  return own.applyMatrix4(matrixWorld)
}
