import * as THREE from 'three'

/**
 * The rectangles of the picture that movers, their shadows and their mirror images touch, so that only these are drawn anew.
 * `crowd` holds a list of spheres (Vector4: place and radius) per mover; the answer is in texture coordinates of the drawing.
 */
export function touchedAreas(crowd, { camera, lampDirection, mirrors }) {
  const areas = crowd
    .filter((spheres) => spheres.length > 0)
    .map((spheres) => areaOf(spheres, { camera, lampDirection, mirrors }))
  return joinOverlapping(areas.filter((area) => area && !area.isEmpty()))
}

const whole = new THREE.Box2(new THREE.Vector2(0, 0), new THREE.Vector2(1, 1))

function areaOf(spheres, { camera, lampDirection, mirrors }) {
  const area = new THREE.Box2()
  for (const { x, y, z, w } of spheres) {
    // Beyond this distance the soft dark of a sphere is below what the occlusion shader draws.
    const reach = 0.35 + 4 * w
    const bodyReach = 0.45 + w
    const shadowAt = Math.max(0, y) / lampDirection.y
    const marks = [
      [x, y, z, bodyReach],
      [x, 0, z, y < reach ? reach : bodyReach],
      [x - lampDirection.x * shadowAt, 0, z - lampDirection.z * shadowAt, bodyReach],
    ]
    if (mirrors) marks.push([x, -y, z, bodyReach])
    for (const mark of marks) growBy(area, mark, camera)
  }
  return area.intersect(whole)
}

function growBy(area, [x, y, z, reach], camera) {
  for (let corner = 0; corner < 8; corner++) {
    const at = new THREE.Vector3(
      x + (corner & 1 ? reach : -reach),
      y + (corner & 2 ? reach : -reach),
      z + (corner & 4 ? reach : -reach),
    )
    at.applyMatrix4(camera.matrixWorldInverse)
    // What is behind the camera has no place in the picture; what is just before its plane may be anywhere on that side.
    at.z = Math.min(at.z, -0.15)
    at.applyMatrix4(camera.projectionMatrix)
    area.expandByPoint(new THREE.Vector2(at.x * 0.5 + 0.5, at.y * 0.5 + 0.5))
  }
}

/** Areas that overlap become one, so that no pixel is drawn twice. */
export function joinOverlapping(areas) {
  const joined = []
  for (const area of areas) {
    let grown = area.clone()
    for (let i = joined.length - 1; i >= 0; i--) {
      if (!joined[i].intersectsBox(grown)) continue
      grown = grown.union(joined[i])
      joined.splice(i, 1)
      i = joined.length
    }
    joined.push(grown)
  }
  return joined
}

/** Where a point of the drawing (texture coordinates) appears in the shown picture, after the lens distortion. */
function throughLens({ x, y }, { aspect, distortion }) {
  const corner = 0.25 * (aspect * aspect + 1)
  const [dx, dy] = [x - 0.5, y - 0.5]
  let scale = 1
  for (let i = 0; i < 12; i++) {
    const r2 = (dx * scale * aspect) ** 2 + (dy * scale) ** 2
    scale = (1 + distortion * corner) / (1 + distortion * r2)
  }
  return new THREE.Vector2(0.5 + dx * scale, 0.5 + dy * scale)
}

/** The area of the shown picture that holds an area of the drawing. */
export function shownArea({ min, max }, lens) {
  const middle = { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2 }
  const edge = [min.x, middle.x, max.x].flatMap((x) => [min.y, middle.y, max.y].map((y) => throughLens({ x, y }, lens)))
  return new THREE.Box2().setFromPoints(edge).expandByScalar(0.006).intersect(whole)
}

/** Runs `draw` with drawing limited to an area of a render target. */
export function within(renderer, target, area, draw) {
  const [x, y] = [Math.floor(area.min.x * target.width), Math.floor(area.min.y * target.height)]
  target.scissor.set(x, y, Math.ceil(area.max.x * target.width) - x, Math.ceil(area.max.y * target.height) - y)
  target.scissorTest = true
  renderer.setRenderTarget(target)
  draw()
  target.scissorTest = false
}
