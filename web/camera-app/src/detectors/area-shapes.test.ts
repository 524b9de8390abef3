import { areaFault, type DetectionArea } from '@sightline/contract/detectors'
import { expect, test } from 'vitest'
import {
  findMiddles,
  startEditing,
  undo,
  withAddedPoint,
  withMovedPoint,
  withNewArea,
  withoutArea,
  withoutPoint,
} from './area-shapes.ts'

const empty = startEditing([])

test('sixteen shapes can be added, each valid, and no more', () => {
  let editing = empty
  for (let count = 0; count < 20; count++) editing = withNewArea(editing, count % 2 === 0 ? 'exclusion' : 'intrusion')
  expect(editing.areas).toHaveLength(16)
  expect(new Set(editing.areas.map(({ areaId }) => areaId)).size).toBe(16)
  expect(editing.areas.map(areaFault).filter((fault) => fault !== undefined)).toEqual([])
})

test('a point is added between two others, moved within the picture, and removed down to the least', () => {
  let editing = withNewArea(empty, 'intrusion')
  editing = withAddedPoint(editing, { areaId: 1, at: 0 })
  expect(editing.areas[0]?.points).toHaveLength(5)
  editing = withMovedPoint(editing, { areaId: 1, at: 1 }, [-0.2, 1.4])
  expect(editing.areas[0]?.points[1]).toEqual([0, 1])
  for (let count = 0; count < 5; count++) editing = withoutPoint(editing, { areaId: 1, at: 0 })
  expect(editing.areas[0]?.points).toHaveLength(3)
})

test('each change can be undone, to the beginning', () => {
  const added = withNewArea(empty, 'tripwire')
  const moved = withMovedPoint(added, { areaId: 1, at: 0 }, [0.1, 0.9])
  expect(undo(moved).areas).toEqual(added.areas)
  expect(undo(undo(undo(moved)))).toEqual(empty)
})

test('an area over a tripwire disables it; it stays disabled after the area is gone', () => {
  const wire = withMovedPoint(withNewArea(empty, 'tripwire'), { areaId: 1, at: 0 }, [0.5, 0.5])
  const covered = withNewArea(wire, 'exclusion')
  const kinds = covered.areas.map(({ kind, enabled }: DetectionArea) => [kind, enabled])
  expect(kinds).toEqual([
    ['tripwire', false],
    ['exclusion', true],
  ])
  expect(withoutArea(covered, 2).areas[0]?.enabled).toBe(false)
})

test('a line has a place for a new point only between its points', () => {
  expect(
    findMiddles({
      areaId: 1,
      kind: 'tripwire',
      enabled: true,
      points: [
        [0, 0],
        [1, 0],
      ],
    }),
  ).toHaveLength(1)
})
