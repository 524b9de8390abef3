/** x and y as shares of a picture's width and height, from the upper left corner. */
type Point = readonly number[]

export const MAX_AREAS = 16
export const MIN_POINTS = 3
export const MAX_POINTS = 24

/** Share of the picture; nothing smaller can be told apart. */
const MIN_SIZE = 0.001

/** Why those corners are no area; undefined if they are. Edges that cross would leave unclear what is inside. */
export function areaFault(points: readonly Point[]): string | undefined {
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

type Edge = readonly [Point, Point]

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
