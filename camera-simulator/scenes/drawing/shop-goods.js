import * as THREE from 'three'
import { seededRandom } from './random.js'
import { copies, surface } from './solids.js'
import { paintedTexture } from './textures.js'

const labelColumns = 8
const labelRows = 8

/** A sheet of 64 invented labels: bands, a blot for a picture, a word-like stroke. */
function labelSheet(seed) {
  const random = seededRandom(seed)
  return paintedTexture(2048, (pen) => {
    const size = 2048 / labelColumns
    for (let i = 0; i < labelColumns * labelRows; i++) {
      const hue = random.pick([0, 8, 22, 40, 48, 95, 130, 190, 208, 225, 275, 330]) + random.between(-6, 6)
      pen.save()
      pen.translate((i % labelColumns) * size, Math.floor(i / labelColumns) * size)
      pen.beginPath()
      pen.rect(0, 0, size, size)
      pen.clip()
      paintLabel(pen, { random, size, hue })
      pen.restore()
    }
  })
}

const words = [
  'Nora',
  'Pico',
  'FRESH',
  'Alma',
  'Bella',
  'OAT',
  'Suno',
  'Rio',
  'Verde',
  'KIRA',
  'Mild',
  'Tavo',
  'PURE',
  'Lago',
  'Crisp',
  'Oro',
]

function paintLabel(pen, { random, size, hue }) {
  const pale = random.next() < 0.3
  pen.fillStyle = pale ? `hsl(${hue},25%,86%)` : `hsl(${hue},${random.between(55, 80)}%,${random.between(30, 52)}%)`
  pen.fillRect(0, 0, size, size)
  const accent = `hsl(${hue + random.pick([0, 30, 180])},${random.between(55, 85)}%,${pale ? 38 : random.pick([24, 78])}%)`
  pen.fillStyle = accent
  if (random.next() < 0.5) pen.fillRect(0, size * random.between(0.55, 0.75), size, size * random.between(0.1, 0.4))
  else {
    pen.beginPath()
    pen.ellipse(
      size / 2,
      size * random.between(0.55, 0.75),
      size * random.between(0.2, 0.4),
      size * random.between(0.12, 0.25),
      random.between(-0.4, 0.4),
      0,
      6.3,
    )
    pen.fill()
  }
  pen.fillStyle = random.next() < 0.6 ? '#fbfaf5' : '#f5d54a'
  if (pale) pen.fillStyle = accent
  pen.font = `bold ${Math.round(size * random.between(0.2, 0.28))}px sans-serif`
  pen.textAlign = 'center'
  pen.fillText(random.pick(words), size / 2, size * random.between(0.26, 0.42))
  pen.fillStyle = 'rgba(20,20,20,0.55)'
  for (let line = 0; line < 3; line++)
    pen.fillRect(size * 0.2, size * (0.82 + line * 0.045), size * random.between(0.3, 0.6), size * 0.014)
}

/** Shapes of goods, each 1 m high and wide so that an instance's scale is its size; label round the sides. */
function goodsShapes() {
  const carton = new THREE.BoxGeometry(1, 1, 1)
  const tin = new THREE.CylinderGeometry(0.5, 0.5, 1, 14)
  const bottle = new THREE.LatheGeometry(
    [
      [0, -0.5],
      [0.46, -0.5],
      [0.5, -0.46],
      [0.5, 0.1],
      [0.42, 0.2],
      [0.2, 0.32],
      [0.17, 0.47],
      [0.2, 0.48],
      [0.2, 0.5],
      [0, 0.5],
    ].map(([x, y]) => new THREE.Vector2(x, y)),
    14,
  )
  const pouch = new THREE.SphereGeometry(0.5, 12, 10)
  const pouchAt = pouch.getAttribute('position')
  for (let i = 0; i < pouchAt.count; i++) {
    const flat = (value) => Math.sign(value) * Math.abs(value * 2) ** 0.5 * 0.5
    pouchAt.setXYZ(i, flat(pouchAt.getX(i)), flat(pouchAt.getY(i)), pouchAt.getZ(i))
  }
  return { carton, tin, bottle, pouch }
}

/**
 * Fills shelves with goods. Each of `boards` is a strip of shelf facing +z of its own frame:
 * {origin, turn, length, depth, clear} in metres, goods standing on origin.y. Every label is used for several facings in a row.
 */
export function stockShelves(seed, boards, { emptiness = 0.05 } = {}) {
  const random = seededRandom(seed)
  const batches = new Map()
  for (const board of boards) fillBoard({ random, board, batches, emptiness })
  const sheet = labelSheet(seed)
  const shapes = goodsShapes()
  return [...batches].map(([key, at]) => {
    const [shape, label] = key.split(':')
    return copies(
      withLabel(shapes[shape], Number(label)),
      surface({ map: sheet, roughness: shape === 'carton' ? 0.7 : 0.35 }),
      at,
    )
  })
}

const kinds = [
  { shape: 'carton', width: [0.08, 0.2], tall: [0.5, 0.92], depth: 0.8 },
  { shape: 'carton', width: [0.12, 0.24], tall: [0.35, 0.7], depth: 0.9 },
  { shape: 'tin', width: [0.07, 0.1], tall: [0.3, 0.4], depth: 1 },
  { shape: 'bottle', width: [0.07, 0.1], tall: [0.7, 0.95], depth: 1 },
  { shape: 'pouch', width: [0.14, 0.22], tall: [0.6, 0.85], depth: 0.5 },
]

function fillBoard({ random, board, batches, emptiness }) {
  let x = -board.length / 2 + 0.03
  while (x < board.length / 2 - 0.1) {
    const kind = random.pick(kinds)
    const width = random.between(...kind.width)
    const tall = board.clear * random.between(...kind.tall)
    const facings = Math.ceil(random.between(2, 6) * (0.14 / width))
    const key = `${kind.shape}:${Math.floor(random.next() * labelColumns * labelRows)}`
    if (!batches.has(key)) batches.set(key, [])
    const size = [width, tall, Math.min(board.depth, width * kind.depth)]
    for (let n = 0; n < facings && x + width < board.length / 2; n++, x += width + 0.008)
      if (random.next() >= emptiness) batches.get(key).push(...facing({ random, board, kind, x: x + width / 2, size }))
    x += random.between(0.005, 0.03)
  }
}

/** The article at the front of a shelf, or two tins upon one another; some have been pushed back by customers. */
function facing({ random, board, kind, x, size }) {
  const [, tall, deep] = size
  const back = random.next() < 0.12 ? random.between(0.04, board.depth * 0.5) : random.between(0, 0.015)
  const stacked = kind.shape === 'tin' && tall * 2.05 < board.clear ? [0.5, 1.5] : [0.5]
  return stacked.map((level) =>
    standing(board, { x, back: back + deep / 2, y: tall * level, size, turn: random.between(-0.06, 0.06) }),
  )
}

function standing({ origin, turn, depth }, { x, back, y, size, turn: skew }) {
  const z = depth / 2 - back
  const position = [
    origin[0] + x * Math.cos(turn) + z * Math.sin(turn),
    origin[1] + y,
    origin[2] - x * Math.sin(turn) + z * Math.cos(turn),
  ]
  return { position, turn: turn + skew, scale: size }
}

function withLabel(shape, label) {
  const geometry = shape.clone()
  const uv = geometry.getAttribute('uv')
  const [column, row] = [label % labelColumns, Math.floor(label / labelColumns)]
  const turns = shape.type === 'BoxGeometry' ? 1 : 2
  for (let i = 0; i < uv.count; i++) {
    const across = (uv.getX(i) * turns) % 1.0001
    uv.setXY(i, (column + 0.02 + across * 0.96) / labelColumns, 1 - (row + 0.98 - uv.getY(i) * 0.96) / labelRows)
  }
  return geometry
}
