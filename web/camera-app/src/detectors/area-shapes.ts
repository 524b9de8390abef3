import { type DetectionArea, MAX_AREAS, MAX_POINTS, withoutCoveredTripwires } from '@sightline/contract/detectors'

export type AreaKind = DetectionArea['kind']
type Point = readonly number[]

/** The areas of a camera while they are changed, with what was there before each change. */
export interface AreaEditing {
  readonly areas: readonly DetectionArea[]
  readonly before: readonly (readonly DetectionArea[])[]
}

export const startEditing = (areas: readonly DetectionArea[]): AreaEditing => ({ areas, before: [] })

/** The next state: an area over a tripwire disables it, as on the server. */
const changed = ({ areas, before }: AreaEditing, next: readonly DetectionArea[]): AreaEditing => ({
  areas: withoutCoveredTripwires(next),
  before: [...before, areas],
})

export function undo({ areas, before }: AreaEditing): AreaEditing {
  const last = before.at(-1)
  return last === undefined ? { areas, before } : { areas: last, before: before.slice(0, -1) }
}

/** The least points of a shape. */
const leastPoints = (kind: AreaKind): number => (kind === 'tripwire' ? 2 : 3)

const round = (share: number): number => Math.round(Math.max(0, Math.min(1, share)) * 1000) / 1000

/** A new shape in the middle, a little beside the ones before it. */
export function withNewArea(editing: AreaEditing, kind: AreaKind): AreaEditing {
  const { areas } = editing
  if (areas.length >= MAX_AREAS) return editing
  const areaId = Array.from({ length: MAX_AREAS }, (_, at) => at + 1).find(
    (id) => !areas.some((area) => area.areaId === id),
  )
  const shift = (areas.length % 5) * 0.04
  const [left, right, top, bottom] = [0.3 + shift, 0.6 + shift, 0.3 + shift, 0.6 + shift].map(round)
  const corners = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as number[][]
  // Below new areas, because an area over it would disable it.
  const line = [
    [left, 0.85],
    [right, 0.85],
  ] as number[][]
  const area: DetectionArea = {
    areaId: areaId ?? 1,
    kind,
    points: kind === 'tripwire' ? line : corners,
    enabled: true,
    ...(kind === 'tripwire' ? { direction: 'both' as const } : {}),
  }
  return changed(editing, [...areas, area])
}

export const withoutArea = (editing: AreaEditing, areaId: number): AreaEditing =>
  changed(
    editing,
    editing.areas.filter((area) => area.areaId !== areaId),
  )

const withArea = (editing: AreaEditing, areaId: number, change: (area: DetectionArea) => DetectionArea): AreaEditing =>
  changed(
    editing,
    editing.areas.map((area) => (area.areaId === areaId ? change(area) : area)),
  )

export const withEnabled = (editing: AreaEditing, areaId: number, enabled: boolean): AreaEditing =>
  withArea(editing, areaId, (area) => ({ ...area, enabled }))

export const withDirection = (
  editing: AreaEditing,
  areaId: number,
  direction: NonNullable<DetectionArea['direction']>,
): AreaEditing => withArea(editing, areaId, (area) => ({ ...area, direction }))

interface PointAt {
  readonly areaId: number
  readonly at: number
}

export const withMovedPoint = (editing: AreaEditing, { areaId, at }: PointAt, [x = 0, y = 0]: Point): AreaEditing =>
  withArea(editing, areaId, (area) => ({
    ...area,
    points: area.points.map((point, index) => (index === at ? [round(x), round(y)] : point)),
  }))

/** A point in the middle between that one and the next. */
export function withAddedPoint(editing: AreaEditing, { areaId, at }: PointAt): AreaEditing {
  return withArea(editing, areaId, (area) => {
    const [[ax = 0, ay = 0] = [], [bx = 0, by = 0] = []] = [area.points[at], area.points[(at + 1) % area.points.length]]
    if (area.points.length >= MAX_POINTS) return area
    const points = [...area.points]
    points.splice(at + 1, 0, [round((ax + bx) / 2), round((ay + by) / 2)])
    return { ...area, points }
  })
}

/** Without that point, if the shape has more than it needs. */
export const withoutPoint = (editing: AreaEditing, { areaId, at }: PointAt): AreaEditing =>
  withArea(editing, areaId, (area) =>
    area.points.length <= leastPoints(area.kind)
      ? area
      : { ...area, points: area.points.filter((_, index) => index !== at) },
  )

/** The places where a point can be added, each after a point. A line is open. */
export function findMiddles({ kind, points }: DetectionArea): readonly { at: number; x: number; y: number }[] {
  const count = kind === 'tripwire' ? points.length - 1 : points.length
  return points.slice(0, count).map(([ax = 0, ay = 0], at) => {
    const [bx = 0, by = 0] = points[(at + 1) % points.length] ?? []
    return { at, x: (ax + bx) / 2, y: (ay + by) / 2 }
  })
}

/** Where the arrow of a tripwire begins and which way it points, in shares of the picture. */
export function getArrow({ points }: DetectionArea): { x: number; y: number; dx: number; dy: number } {
  const middle = Math.floor((points.length - 1) / 2)
  const [[ax = 0, ay = 0] = [], [bx = 0, by = 0] = []] = [points[middle], points[middle + 1]]
  const length = Math.hypot(bx - ax, by - ay) || 1
  // To the right of someone who walks from the first point to the last; y grows downwards.
  return { x: (ax + bx) / 2, y: (ay + by) / 2, dx: -(by - ay) / length, dy: (bx - ax) / length }
}

export const isSameAreas = (one: readonly DetectionArea[], other: readonly DetectionArea[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
