import { paintedTexture } from './textures.js'

const [width, height] = [2048, 2048]
/** Where the drawings of a car are on its paint sheet: metres on the car to texture coordinates (v downwards). */
export const sheet = {
  side: (x, y) => [(1024 + x * 400) / width, (850 - y * 400) / height],
  top: (x, _y, z) => [(1024 + x * 400) / width, (1230 + z * 300) / height],
  front: (_x, y, z) => [(400 - z * 300) / width, (2000 - y * 300) / height],
  rear: (_x, y, z) => [(1500 + z * 300) / width, (2000 - y * 300) / height],
}

/** Paints a car's skin: body colour, windows, door joints, lamps, grille and number plate. */
export function paintCar(model, { colour, plate, lit }) {
  return paintedTexture([width / 2, height / 2], (pen) => {
    pen.scale(0.5, 0.5)
    pen.fillStyle = colour
    pen.fillRect(0, 0, width, height)
    drawSide(pen, model)
    drawTop(pen, model)
    const ends = { pen, plate, lit, high: model.body[2][1] }
    drawFront(ends)
    drawRear(ends)
  })
}

const glass = '#0d1114'
const joint = 'rgba(0,0,0,0.55)'

const pointOn = (drawing, ...at) => {
  const [u, v] = sheet[drawing](...at)
  return [u * width, v * height]
}

function polygon(pen, drawing, points) {
  pen.beginPath()
  for (const at of points) pen.lineTo(...pointOn(drawing, ...at))
  pen.closePath()
}

function drawSide(pen, model) {
  const [rear, front, belt, top] = model.sideWindows
  const inCabin = (x) => {
    const edge = model.cabin.flatMap(([ax, ay], i) => {
      const [bx, by] = model.cabin[(i + 1) % model.cabin.length]
      return i < model.cabin.length - 1 && x >= Math.min(ax, bx) && x <= Math.max(ax, bx)
        ? [ay + ((by - ay) * (x - ax)) / (bx - ax || 1)]
        : []
    })
    return Math.min(top, Math.max(...edge, 0) - 0.09)
  }
  const outline = [[rear, belt]]
  for (let x = rear; x <= front; x += 0.06) outline.push([x, Math.max(belt, inCabin(x))])
  outline.push([front, belt])
  pen.fillStyle = glass
  polygon(pen, 'side', outline)
  pen.fill()
  pen.strokeStyle = '#08090a'
  pen.lineWidth = 9
  pen.stroke()
  drawDoors(pen, model)
  pen.fillStyle = '#1b1c1e'
  const [x, y] = pointOn('side', -3, 0.33)
  pen.fillRect(x, y, 2400, 90)
}

function drawDoors(pen, model) {
  const [rear, front, belt] = model.sideWindows
  const doorEnds = model.pillar === undefined ? [0.05, front + 0.05] : [rear + 0.3, model.pillar, front + 0.05]
  pen.strokeStyle = joint
  pen.lineWidth = 5
  for (const x of doorEnds) {
    pen.beginPath()
    pen.moveTo(...pointOn('side', x, belt))
    pen.lineTo(...pointOn('side', x - 0.02, 0.36))
    pen.stroke()
  }
  if (model.pillar !== undefined) {
    pen.strokeStyle = '#141618'
    pen.lineWidth = 34
    pen.beginPath()
    pen.moveTo(...pointOn('side', model.pillar, belt))
    pen.lineTo(...pointOn('side', model.pillar - 0.06, 2.1))
    pen.stroke()
  }
  pen.fillStyle = 'rgba(0,0,0,0.6)'
  for (const x of doorEnds.slice(0, -1)) pen.fillRect(...pointOn('side', x + 0.1, belt - 0.1), 66, 15)
}

function drawTop(pen, model) {
  const half = model.halfWidth
  pen.fillStyle = glass
  const [roofFront, cowl] = model.windscreen
  polygon(pen, 'top', [
    [roofFront, 0, -half * 0.68],
    [cowl, 0, -half * 0.86],
    [cowl, 0, half * 0.86],
    [roofFront, 0, half * 0.68],
  ])
  pen.fill()
  const [tail, roofRear] = model.rearWindow
  polygon(pen, 'top', [
    [tail, 0, -half * 0.8],
    [roofRear, 0, -half * 0.64],
    [roofRear, 0, half * 0.64],
    [tail, 0, half * 0.8],
  ])
  pen.fill()
  pen.strokeStyle = joint
  pen.lineWidth = 5
  polygon(pen, 'top', [
    [cowl + 0.06, 0, -half * 0.84],
    [cowl + 0.8, 0, -half * 0.8],
    [cowl + 0.8, 0, half * 0.8],
    [cowl + 0.06, 0, half * 0.84],
  ])
  pen.stroke()
}

function drawFront({ pen, plate, lit, high }) {
  pen.fillStyle = '#101214'
  polygon(pen, 'front', [
    [0, high * 0.74, -0.42],
    [0, high * 0.74, 0.42],
    [0, high * 0.55, 0.36],
    [0, high * 0.55, -0.36],
  ])
  pen.fill()
  polygon(pen, 'front', [
    [0, 0.44, -0.7],
    [0, 0.44, 0.7],
    [0, 0.28, 0.6],
    [0, 0.28, -0.6],
  ])
  pen.fill()
  for (const s of [-1, 1]) {
    pen.fillStyle = lit ? '#fffdf0' : '#c9d2d8'
    polygon(pen, 'front', [
      [0, high * 0.84, s * 0.5],
      [0, high * 0.88, s * 0.84],
      [0, high * 0.74, s * 0.86],
      [0, high * 0.7, s * 0.52],
    ])
    pen.fill()
  }
  drawPlate(pen, 'front', plate, 0.42)
}

function drawRear({ pen, plate, lit, high }) {
  for (const s of [-1, 1]) {
    pen.fillStyle = lit ? '#ff2a1a' : '#8d1512'
    polygon(pen, 'rear', [
      [0, high * 1.02, s * 0.5],
      [0, high * 1.04, s * 0.86],
      [0, high * 0.82, s * 0.86],
      [0, high * 0.84, s * 0.54],
    ])
    pen.fill()
  }
  pen.fillStyle = '#15171a'
  polygon(pen, 'rear', [
    [0, 0.42, -0.75],
    [0, 0.42, 0.75],
    [0, 0.25, 0.7],
    [0, 0.25, -0.7],
  ])
  pen.fill()
  drawPlate(pen, 'rear', plate, 0.62)
}

function drawPlate(pen, drawing, text, y) {
  const [x, top] = pointOn(drawing, 0, y + 0.06, drawing === 'front' ? 0.26 : -0.26)
  pen.fillStyle = '#e9e8df'
  pen.fillRect(x, top, 146, 32)
  pen.fillStyle = '#16181c'
  pen.font = 'bold 26px sans-serif'
  pen.textAlign = 'center'
  pen.fillText(text, x + 73, top + 26)
}
