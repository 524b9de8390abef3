import * as THREE from 'three'

/**
 * The surface of a distance field as a triangle mesh, by naive surface nets (Gibson 1998).
 * `distance(x, y, z)` is negative inside; `box` is a THREE.Box3 that holds the whole body; `cell` is the grid in metres.
 */
export function meshOfField(distance, box, cell) {
  const grid = sampleField(distance, box, cell)
  const { positions, vertexOfCell } = placeVertices(grid)
  const geometry = new THREE.BufferGeometry()
  const normals = new Float32Array(positions.length)
  for (let i = 0; i < positions.length; i += 3) settleOnSurface({ distance, cell, positions, normals, i })
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(positions), 3))
  geometry.setAttribute('normal', new THREE.BufferAttribute(normals, 3))
  geometry.setIndex(joinVertices(grid, vertexOfCell))
  return geometry
}

function sampleField(distance, box, cell) {
  const size = box.getSize(new THREE.Vector3())
  const [nx, ny, nz] = [size.x, size.y, size.z].map((length) => Math.ceil(length / cell) + 1)
  const values = new Float32Array(nx * ny * nz)
  let n = 0
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++)
        values[n++] = distance(box.min.x + i * cell, box.min.y + j * cell, box.min.z + k * cell)
  return { values, nx, ny, nz, cell, origin: box.min }
}

const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => [c & 1, (c >> 1) & 1, c >> 2])
const edges = corners.flatMap((_, a) => [1, 2, 4].filter((bit) => !(a & bit)).map((bit) => [a, a | bit]))

/** Calls `visit` with each cell's place in the grid (i, j, k) and in its list (at), leaving out `margin` layers at the low sides. */
function forEachCell({ nx, ny, nz }, margin, visit) {
  for (let k = margin; k < nz - 1; k++)
    for (let j = margin; j < ny - 1; j++) for (let i = margin; i < nx - 1; i++) visit([i, j, k], i + nx * (j + ny * k))
}

/** One vertex in each cell that the surface passes through: the mean of where it crosses the cell's edges. */
function placeVertices(grid) {
  const { values, nx, ny, cell, origin } = grid
  const positions = []
  const vertexOfCell = new Int32Array(values.length).fill(-1)
  const value = new Float32Array(8)
  const offsets = corners.map(([x, y, z]) => x + nx * (y + ny * z))
  forEachCell(grid, 0, ([i, j, k], at) => {
    let inside = 0
    for (let c = 0; c < 8; c++) {
      value[c] = values[at + offsets[c]]
      if (value[c] < 0) inside++
    }
    if (inside === 0 || inside === 8) return
    const [x, y, z] = meanCrossing(value)
    vertexOfCell[at] = positions.length / 3
    positions.push(origin.x + (i + x) * cell, origin.y + (j + y) * cell, origin.z + (k + z) * cell)
  })
  return { positions, vertexOfCell }
}

function meanCrossing(value) {
  const sum = [0, 0, 0]
  let count = 0
  for (const [a, b] of edges) {
    if (value[a] < 0 === value[b] < 0) continue
    const t = value[a] / (value[a] - value[b])
    for (let axis = 0; axis < 3; axis++) sum[axis] += corners[a][axis] + (corners[b][axis] - corners[a][axis]) * t
    count++
  }
  return sum.map((s) => s / count)
}

function settleOnSurface({ distance, cell, positions, normals, i }) {
  const [x, y, z] = [positions[i], positions[i + 1], positions[i + 2]]
  const e = cell * 0.5
  const gradient = [
    distance(x + e, y, z) - distance(x - e, y, z),
    distance(x, y + e, z) - distance(x, y - e, z),
    distance(x, y, z + e) - distance(x, y, z - e),
  ]
  const length = Math.hypot(...gradient) || 1
  const step = Math.max(-cell, Math.min(cell, distance(x, y, z))) * 0.8
  for (let axis = 0; axis < 3; axis++) {
    normals[i + axis] = gradient[axis] / length
    positions[i + axis] -= (gradient[axis] / length) * step
  }
}

/** Two triangles for each grid edge that the surface crosses, between the vertices of the four cells around it. */
function joinVertices(grid, vertexOfCell) {
  const { values, nx, ny } = grid
  const index = []
  const stride = [1, nx, nx * ny]
  forEachCell(grid, 1, (_, at) => {
    for (let axis = 0; axis < 3; axis++) {
      const here = values[at] < 0
      if (here === values[at + stride[axis]] < 0) continue
      const u = stride[(axis + 1) % 3]
      const v = stride[(axis + 2) % 3]
      const [a, b, c, d] = [at - u - v, at - v, at, at - u].map((n) => vertexOfCell[n])
      if (here) index.push(a, b, c, a, c, d)
      else index.push(a, c, b, a, d, c)
    }
  })
  return index
}

/** Smooth union of two distances; `k` is the width of the blend in metres. */
export function blend(a, b, k) {
  const h = Math.max(k - Math.abs(a - b), 0) / k
  return Math.min(a, b) - h * h * k * 0.25
}

/** Smooth intersection of two distances. */
export const intersectSmoothly = (a, b, k) => -blend(-a, -b, k)

/** Distance to a limb from point a to point b whose radius goes from ra to rb. */
export function limb(a, b, ra, rb) {
  const [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  const squared = dx * dx + dy * dy + dz * dz
  return (x, y, z) => {
    const [px, py, pz] = [x - a[0], y - a[1], z - a[2]]
    const t = Math.max(0, Math.min(1, (px * dx + py * dy + pz * dz) / squared))
    return Math.hypot(px - dx * t, py - dy * t, pz - dz * t) - (ra + (rb - ra) * t)
  }
}

/** Distance (approximate) to an ellipsoid with the given centre and radii. */
export function ellipsoid(c, r) {
  return (x, y, z) => {
    const [px, py, pz] = [(x - c[0]) / r[0], (y - c[1]) / r[1], (z - c[2]) / r[2]]
    const k0 = Math.hypot(px, py, pz)
    const k1 = Math.hypot(px / r[0], py / r[1], pz / r[2])
    return k1 === 0 ? -Math.min(...r) : (k0 * (k0 - 1)) / k1
  }
}

/** Distance in the plane to a closed polygon given as [x, y] pairs. */
export function polygonDistance(points) {
  return (x, y) => {
    let nearest = Number.POSITIVE_INFINITY
    let inside = false
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const [ax, ay] = points[j]
      const [bx, by] = points[i]
      const [ex, ey, px, py] = [bx - ax, by - ay, x - ax, y - ay]
      const t = Math.max(0, Math.min(1, (px * ex + py * ey) / (ex * ex + ey * ey)))
      nearest = Math.min(nearest, Math.hypot(px - ex * t, py - ey * t))
      if (by > y !== ay > y && x < ((ax - bx) * (y - by)) / (ay - by) + bx) inside = !inside
    }
    return inside ? -nearest : nearest
  }
}
