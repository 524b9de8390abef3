import type { LayoutTile, SequenceStep } from '@sightline/contract/saved-views'

/** One kind of what is saved, and which cameras are in it. */
export interface ViewKind<Content> {
  readonly kind: 'cameraGroup' | 'sequence' | 'layout'
  camerasOf(content: Content): readonly number[]
  /** What is left of it without the other cameras. */
  among(content: Content, has: (cameraId: number) => boolean): Content
}

export interface GroupContent {
  readonly cameraIds: number[]
}

export const groupKind: ViewKind<GroupContent> = {
  kind: 'cameraGroup',
  camerasOf: ({ cameraIds }) => cameraIds,
  among: ({ cameraIds }, has) => ({ cameraIds: cameraIds.filter(has) }),
}

export interface SequenceContent {
  readonly steps: SequenceStep[]
}

export const sequenceKind: ViewKind<SequenceContent> = {
  kind: 'sequence',
  camerasOf: ({ steps }) => steps.flatMap(({ cameraIds }) => cameraIds),
  among: ({ steps }, has) => ({
    steps: steps
      .map(({ cameraIds, seconds }) => ({ cameraIds: cameraIds.filter(has), seconds }))
      .filter(({ cameraIds }) => cameraIds.length > 0),
  }),
}

export interface LayoutContent {
  readonly grid: 1 | 4 | 9
  readonly tiles: LayoutTile[]
}

export const layoutKind: ViewKind<LayoutContent> = {
  kind: 'layout',
  camerasOf: ({ tiles }) => tiles.map(({ cameraId }) => cameraId),
  among: ({ grid, tiles }, has) => ({ grid, tiles: tiles.filter(({ cameraId }) => has(cameraId)) }),
}
