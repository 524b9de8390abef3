import * as THREE from 'three'

export const loopSeconds = 16
export const framesPerSecond = 25

/**
 * A way on the floor: `stops` are [x, z] or [x, z, pause in seconds, heading while pausing in radians].
 * The answer gives, for a time since its start, the place, heading, distance walked and whether one walks or stands.
 */
export function route(stops, metresPerSecond) {
  const points = stops.map(([x, z]) => new THREE.Vector3(x, 0, z))
  const curve = new THREE.CatmullRomCurve3(points, false, 'centripetal')
  curve.arcLengthDivisions = 400
  const lengths = curve.getLengths()
  const reached = points.map((_, i) => lengths[Math.round((i / (points.length - 1)) * 400)])
  const legs = legsOf(stops, reached, metresPerSecond)
  const duration = legs.at(-1).till
  const whole = curve.getLength()
  return {
    duration,
    at: (seconds) => {
      const leg = legs.find(({ till }) => seconds <= till) ?? legs.at(-1)
      const { distance, going } = along(leg, seconds)
      const t = Math.min(1, Math.max(0, distance / whole))
      const place = curve.getPointAt(t)
      const tangent = curve.getTangentAt(t)
      return { place, distance, going, heading: headingOf(tangent, leg, seconds) }
    },
  }
}

const easeSeconds = 0.7

function legsOf(stops, reached, speed) {
  const legs = []
  let clock = 0
  let from = 0
  let eased = false
  for (const [i, [, , pause, face]] of stops.entries()) {
    const last = i === stops.length - 1
    if (i === 0 || !(pause || last)) continue
    const length = reached[i] - reached[from]
    const braking = Boolean(pause)
    // A start or a stop with constant acceleration takes half its time longer than passing at full speed.
    const seconds = length / speed + (eased ? easeSeconds / 2 : 0) + (braking ? easeSeconds / 2 : 0)
    legs.push({
      kind: 'walk',
      since: clock,
      till: clock + seconds,
      start: reached[from],
      length,
      speed,
      eased,
      braking,
    })
    clock += seconds
    if (pause) {
      legs.push({ kind: 'pause', since: clock, till: clock + pause, start: reached[i], face })
      clock += pause
    }
    eased = Boolean(pause)
    from = i
  }
  return legs
}

function along(leg, seconds) {
  if (leg.kind === 'pause') return { distance: leg.start, going: 0 }
  const t = Math.max(0, seconds - leg.since)
  const left = Math.max(0, leg.till - seconds)
  const slow = (time) => (time < easeSeconds ? time ** 2 / (2 * easeSeconds) : time - easeSeconds / 2)
  const done = leg.braking ? leg.length - leg.speed * slow(left) : leg.speed * (leg.eased ? slow(t) : t)
  const rising = leg.eased ? Math.min(1, t / easeSeconds) : 1
  const falling = leg.braking ? Math.min(1, left / easeSeconds) : 1
  const half = (leg.till - leg.since) / 2
  const distance = leg.eased && t < half ? leg.speed * slow(t) : done
  return { distance: leg.start + distance, going: smooth(Math.min(rising, falling)) }
}

const smooth = (t) => t * t * (3 - 2 * t)

function headingOf(tangent, leg, seconds) {
  const walking = Math.atan2(tangent.x, tangent.z)
  if (leg.kind !== 'pause' || leg.face === undefined) return walking
  const turnSeconds = 0.6
  const turned = smooth(
    Math.max(0, Math.min(1, (seconds - leg.since) / turnSeconds, (leg.till - seconds) / turnSeconds)),
  )
  const difference = Math.atan2(Math.sin(leg.face - walking), Math.cos(leg.face - walking))
  return walking + difference * turned
}

/** Seconds of a mover's own time at a frame of the loop, for one that sets out `start` seconds into it. */
export const ownTime = (frame, start) => (frame / framesPerSecond - start + 2 * loopSeconds) % loopSeconds

/**
 * Puts a person on its route for a frame; outside the time of its route it is not there.
 * `beside` lists spheres [x, y, z, radius] for what it pushes or carries, which darken the floor like the body does.
 */
export function walkRoute(body, { way, start, act = () => ({}), beside = [] }) {
  if (way.duration > loopSeconds)
    throw new Error(`a route takes ${way.duration.toFixed(1)} s, but the loop has ${loopSeconds} s`)
  return (frame) => {
    const seconds = ownTime(frame, start)
    body.object.visible = seconds <= way.duration
    if (!body.object.visible) return []
    const { place, distance, going, heading } = way.at(seconds)
    body.object.position.copy(place)
    body.object.rotation.y = heading
    const doing = act(seconds)
    body.object.position.y = -0.6 * (doing.sink ?? 0)
    // Whole breaths in a loop keep somebody who stands through its end steady.
    const idle = (2 * Math.PI * 4 * seconds) / loopSeconds
    body.pose({ distance: distance / body.object.scale.x, going, idle, ...doing })
    return [...body.occluders(), ...beside.map((sphere) => carried(body.object, sphere))]
  }
}

function carried(object, [x, y, z, radius]) {
  const at = object.localToWorld(new THREE.Vector3(x, y, z))
  return new THREE.Vector4(at.x, at.y, at.z, radius)
}

/** Somebody who stays in one place through the whole loop; whatever `act` answers must repeat after it. */
export function standStill(body, { x, z, heading, act = () => ({}) }) {
  return (frame) => {
    const seconds = frame / framesPerSecond
    body.object.position.set(x, 0, z)
    body.object.rotation.y = heading
    body.pose({ distance: 0, going: 0, idle: (2 * Math.PI * 4 * seconds) / loopSeconds, ...act(seconds) })
    return body.occluders()
  }
}
