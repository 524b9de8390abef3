/** x and y as shares of a picture's width and height, from the upper left corner. */
type Point = readonly number[]

export const MAX_AREAS = 16
/** Of an area; a tripwire needs two. */
const MIN_CORNERS = 3
export const MIN_POINTS = 2
export const MAX_POINTS = 24

/** Share of the picture; nothing smaller can be told apart. */
const MIN_SIZE = 0.001
/** Share of the picture's width and height; nothing crosses a shorter line. */
const MIN_LENGTH = 0.02

interface Shape {
  readonly kind: 'intrusion' | 'exclusion' | 'tripwire'
  readonly points: readonly Point[]
  readonly enabled: boolean
  /** Of a tripwire: which way something has to cross it, as seen from its first point. Both ways by default. */
  readonly direction?: 'both' | 'leftToRight' | 'rightToLeft' | undefined
}

/** Why those corners are no area; undefined if they are. Edges that cross would leave unclear what is inside. */
export function areaFault({ kind, points, direction }: Shape): string | undefined {
  if (kind === 'tripwire') return lengthOf(points) < MIN_LENGTH ? 'a tripwire must have a length' : undefined
  if (direction !== undefined) return 'only a tripwire has a direction'
  if (points.length < MIN_CORNERS) return 'an area must have at least 3 corners'
  if (hasCrossingEdges(points)) return 'the edges of an area must not cross'
  return Math.abs(signedSize(points)) < MIN_SIZE ? 'an area must cover at least 0.1 % of the picture' : undefined
}

/** Whether a closed polygon covers a point (even-odd rule). */
export function areaCovers(points: readonly Point[], [x = 0, y = 0]: Point): boolean {
  let covers = false
  for (const [[ax = 0, ay = 0], [bx = 0, by = 0]] of edgesOf(points))
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) covers = !covers
  return covers
}

/** Whether an area lies over a tripwire, which disables it (specification §4). */
export const isCoveredTripwire = <Area extends Shape>(area: Area, areas: readonly Area[]): boolean =>
  area.kind === 'tripwire' && areas.some((other) => other.kind !== 'tripwire' && other.enabled && overlaps(other, area))

/** The areas, with tripwires disabled that an area lies over. */
export const withoutCoveredTripwires = <Area extends Shape>(areas: readonly Area[]): readonly Area[] =>
  areas.map((area) => (area.enabled && isCoveredTripwire(area, areas) ? { ...area, enabled: false } : area))

const overlaps = ({ points: area }: Shape, { points: line }: Shape): boolean =>
  line.some((point) => areaCovers(area, point)) ||
  lineEdges(line).some((one) => edgesOf(area).some((other) => crosses(one, other)))

/** Whether a straight way between two points crosses a tripwire in its direction. */
export function crossesLine({ points, direction = 'both' }: Shape, from: Point, to: Point): boolean {
  return lineEdges(points).some(([a, b]) => {
    // A point on the line counts as one on its right, so that no crossing is missed or counted twice.
    const [before, after] = [isRightOf(a, b, from), isRightOf(a, b, to)]
    if (before === after || turn(from, to, a) * turn(from, to, b) > 0) return false
    return direction === 'both' || after === (direction === 'leftToRight')
  })
}

/** Seen by someone who walks from a to b; y grows downwards. */
const isRightOf = (a: Point, b: Point, point: Point): boolean => turn(a, b, point) >= 0

type Edge = readonly [Point, Point]

/** Those of a line, which is open. */
const lineEdges = (points: readonly Point[]): Edge[] => edgesOf(points).slice(0, -1)

const lengthOf = (points: readonly Point[]): number =>
  lineEdges(points).reduce((sum, [[ax = 0, ay = 0], [bx = 0, by = 0]]) => sum + Math.hypot(bx - ax, by - ay), 0)

const edgesOf = (points: readonly Point[]): Edge[] =>
  points.map((point, at): Edge => [point, points[(at + 1) % points.length] ?? point])

const signedSize = (points: readonly Point[]): number =>
  edgesOf(points).reduce((sum, [[ax = 0, ay = 0], [bx = 0, by = 0]]) => sum + ax * by - bx * ay, 0) / 2

function hasCrossingEdges(points: readonly Point[]): boolean {
  const edges = edgesOf(points)
  return edges.some((one, at) =>
    edges.some((other, otherAt) => {
      const areNeighbors = Math.abs(at - otherAt) <= 1 || Math.abs(at - otherAt) === edges.length - 1
      return !areNeighbors && crosses(one, other)
    }),
  )
}

const turn = ([ax = 0, ay = 0]: Point, [bx = 0, by = 0]: Point, [cx = 0, cy = 0]: Point): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))

const crosses = ([a, b]: Edge, [c, d]: Edge): boolean =>
  turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0
