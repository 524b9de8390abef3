import * as THREE from 'three'
import { seededRandom, tilingClouds } from './random.js'

/** A canvas to paint on, as a texture that repeats every `metres` (of plane coordinates given in metres). */
export function paintedTexture(size, paint, { repeat = 1 } = {}) {
  const [width, height] = Array.isArray(size) ? size : [size, size]
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const pen = canvas.getContext('2d')
  paint(pen, width, height)
  const texture = new THREE.CanvasTexture(canvas)
  texture.colorSpace = THREE.SRGBColorSpace
  texture.wrapS = THREE.RepeatWrapping
  texture.wrapT = THREE.RepeatWrapping
  texture.repeat.setScalar(repeat)
  texture.anisotropy = 8
  return texture
}

/** Multiplies each pixel by 1 + `amount` x noise; `grain` adds unsmoothed speckle. */
export function speckle(pen, { seed, cells = 6, octaves = 4, amount = 0.15, grain = 0 }) {
  const { width, height } = pen.canvas
  const clouds = tilingClouds(seed, { cells, octaves })
  const random = seededRandom(seed)
  const image = pen.getImageData(0, 0, width, height)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 4) {
      const factor = 1 + amount * clouds(x / width, y / height) + grain * (random.next() - 0.5)
      for (let c = 0; c < 3; c++) image.data[at + c] *= factor
    }
  pen.putImageData(image, 0, 0)
}

const fill = (pen, colour) => {
  pen.fillStyle = colour
  pen.fillRect(0, 0, pen.canvas.width, pen.canvas.height)
}

/** Old asphalt: patches, fine stone, cracks and a few stains. The texture covers 12 x 12 m. */
export const asphalt = (seed) =>
  paintedTexture(2048, (pen, width) => {
    const random = seededRandom(seed)
    fill(pen, '#85837f')
    for (let i = 0; i < 5; i++) {
      pen.fillStyle = `rgba(${random.pick(['60,60,63', '140,137,131'])},${random.between(0.15, 0.4)})`
      pen.fillRect(random.between(0, 1700), random.between(0, 1700), random.between(150, 600), random.between(100, 350))
    }
    for (let i = 0; i < 30; i++) stain(pen, random, width)
    for (let i = 0; i < 9; i++) crack(pen, random, width)
    speckle(pen, { seed, cells: 5, octaves: 6, amount: 0.26, grain: 0.2 })
  })

function stain(pen, random, width) {
  const [x, y, r] = [random.between(0, width), random.between(0, width), random.between(10, 60)]
  const shade = pen.createRadialGradient(x, y, 0, x, y, r)
  shade.addColorStop(0, `rgba(25,25,28,${random.between(0.15, 0.5)})`)
  shade.addColorStop(1, 'rgba(25,25,28,0)')
  pen.fillStyle = shade
  pen.fillRect(x - r, y - r, r * 2, r * 2)
}

function crack(pen, random, width) {
  pen.strokeStyle = 'rgba(30,30,32,0.75)'
  pen.lineWidth = random.between(1.5, 3.5)
  pen.beginPath()
  let [x, y] = [random.between(0, width), random.between(0, width)]
  let heading = random.between(0, 6.28)
  pen.moveTo(x, y)
  for (let i = 0; i < 40; i++) {
    heading += random.between(-0.5, 0.5)
    x += Math.cos(heading) * 14
    y += Math.sin(heading) * 14
    pen.lineTo(x, y)
  }
  pen.stroke()
}

/** Brickwork in stretcher bond; the texture covers 2 x 2 m (8 bricks by 26 courses). */
export const brick = (seed, [red, green, blue] = [142, 84, 66]) =>
  paintedTexture(1024, (pen, width) => {
    const random = seededRandom(seed)
    fill(pen, '#a39a8e')
    const [w, h] = [width / 8, width / 26]
    for (let row = 0; row < 26; row++)
      for (let column = -1; column < 8; column++) {
        const tone = random.between(0.78, 1.12)
        pen.fillStyle = `rgb(${red * tone},${green * tone},${blue * tone})`
        pen.fillRect((column + (row % 2) / 2) * w + 3, row * h + 2.5, w - 5, h - 5)
      }
    speckle(pen, { seed, cells: 8, octaves: 5, amount: 0.2, grain: 0.15 })
  })

/** Square tiles with joints: `count` tiles along each side of the texture. */
export const tiles = ({ seed, count, colour, joint, jointWidth = 4, variation = 0.06 }) =>
  paintedTexture(1024, (pen, width) => {
    const random = seededRandom(seed)
    fill(pen, joint)
    const size = width / count
    for (let i = 0; i < count * count; i++) {
      pen.globalAlpha = 1
      pen.fillStyle = colour
      const [x, y] = [(i % count) * size + jointWidth / 2, Math.floor(i / count) * size + jointWidth / 2]
      pen.fillRect(x, y, size - jointWidth, size - jointWidth)
      pen.globalAlpha = variation * random.next() * 2
      pen.fillStyle = random.pick(['#000', '#fff'])
      pen.fillRect(x, y, size - jointWidth, size - jointWidth)
    }
    pen.globalAlpha = 1
    speckle(pen, { seed, cells: 8, octaves: 5, amount: 0.1, grain: 0.05 })
  })

/** One colour with cloudy unevenness: plaster, concrete, painted metal. */
export const plain = (seed, colour, options = {}) =>
  paintedTexture(512, (pen) => {
    fill(pen, colour)
    speckle(pen, { seed, cells: 4, octaves: 5, amount: 0.12, grain: 0.04, ...options })
  })

/** Short cut grass or a hedge from above. */
export const grass = (seed) =>
  paintedTexture(1024, (pen, width) => {
    const random = seededRandom(seed)
    fill(pen, '#4c5f2c')
    for (let i = 0; i < 24_000; i++) {
      const [x, y] = [random.between(0, width), random.between(0, width)]
      pen.strokeStyle = `hsl(${random.between(62, 98)},${random.between(28, 48)}%,${random.between(14, 40)}%)`
      pen.lineWidth = 1.6
      pen.beginPath()
      pen.moveTo(x, y)
      pen.lineTo(x + random.between(-8, 8), y + random.between(-10, 4))
      pen.stroke()
    }
    speckle(pen, { seed, cells: 4, octaves: 4, amount: 0.35 })
  })

/** Carpet with a small woven pattern; covers 2 x 2 m. */
export const carpet = (seed, ground, figure) =>
  paintedTexture(1024, (pen, width) => {
    fill(pen, ground)
    pen.strokeStyle = figure
    pen.lineWidth = 7
    const step = width / 8
    for (let row = 0; row < 8; row++)
      for (let column = 0; column < 8; column++) {
        const [x, y] = [(column + 0.5) * step, (row + 0.5) * step]
        pen.beginPath()
        pen.moveTo(x, y - step * 0.42)
        pen.lineTo(x + step * 0.42, y)
        pen.lineTo(x, y + step * 0.42)
        pen.lineTo(x - step * 0.42, y)
        pen.closePath()
        pen.stroke()
        pen.strokeRect(x - 5, y - 5, 10, 10)
      }
    speckle(pen, { seed, cells: 8, octaves: 5, amount: 0.16, grain: 0.2 })
  })

/** Veneer with grain along the height of the texture. */
export const wood = (seed, colour) =>
  paintedTexture([512, 1024], (pen, width, height) => {
    const random = seededRandom(seed)
    fill(pen, colour)
    for (let i = 0; i < 260; i++) {
      pen.strokeStyle = `rgba(${random.pick(['40,22,8', '255,225,180'])},${random.between(0.03, 0.14)})`
      pen.lineWidth = random.between(1, 5)
      const x = random.between(0, width)
      const sway = random.between(-14, 14)
      pen.beginPath()
      pen.moveTo(x, 0)
      pen.bezierCurveTo(x + sway, height * 0.3, x - sway, height * 0.6, x, height)
      pen.stroke()
    }
    speckle(pen, { seed, cells: 6, octaves: 4, amount: 0.12, grain: 0.05 })
  })

/** Mineral fibre ceiling tiles of 60 cm with their metal grid; covers 2.4 x 2.4 m. */
export const ceilingTiles = (seed) =>
  paintedTexture(1024, (pen, width) => {
    fill(pen, '#e6e4de')
    const random = seededRandom(seed)
    pen.fillStyle = 'rgba(90,88,84,0.35)'
    for (let i = 0; i < 9000; i++) pen.fillRect(random.between(0, width), random.between(0, width), 2, 2)
    for (let i = 0; i < 4; i++) {
      for (const [colour, offset, size] of [
        ['#9c9a94', 0, 14],
        ['#d9d8d3', 3, 8],
      ]) {
        pen.fillStyle = colour
        pen.fillRect(i * 256 + offset, 0, size, width)
        pen.fillRect(0, i * 256 + offset, width, size)
      }
    }
    speckle(pen, { seed, cells: 4, octaves: 3, amount: 0.05 })
  })
