import * as z from 'zod/mini'
import { checkedText } from '../user-details/index.ts'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'
import { MAX_VIEW_CAMERAS, savedViewNameProblem, tilesProblem } from './rules.ts'

export { type LayoutTile, MAX_VIEW_CAMERAS, savedViewNameProblem, sideOfGrid } from './rules.ts'

/** The most of each kind in an account, and of layouts of one user. */
export const MAX_SAVED_VIEWS = 100
const MAX_GROUP_CAMERAS = 500
const MAX_STEPS = 50
const MIN_STEP_SECONDS = 3
const MAX_STEP_SECONDS = 3600

const name = checkedText(savedViewNameProblem)
const eachOnce = z.refine<number[]>((ids) => new Set(ids).size === ids.length, 'each camera once')

const saved = {
  name: z.string(),
  /** Whether the caller has access to all of its cameras: only then it can be changed or deleted. */
  whole: z.boolean(),
  createdAt: dateTime,
}

/** A named set of cameras of any zones; unlike a zone it has no settings. */
export const cameraGroup = z.object({
  cameraGroupId: id,
  ...saved,
  /** Those in the caller's scope, as they were ordered. */
  cameraIds: z.array(id),
})
export type CameraGroup = z.infer<typeof cameraGroup>

export const newCameraGroup = z.object({
  name,
  cameraIds: z.array(id).check(z.maxLength(MAX_GROUP_CAMERAS), eachOnce),
})

const step = z.object({
  cameraIds: z.array(id).check(z.minLength(1), z.maxLength(MAX_VIEW_CAMERAS), eachOnce),
  /** How long these cameras are shown. */
  seconds: z.int().check(z.gte(MIN_STEP_SECONDS), z.lte(MAX_STEP_SECONDS)),
})
const steps = z.array(step).check(z.minLength(1), z.maxLength(MAX_STEPS))
export type SequenceStep = z.infer<typeof step>

/** Cameras that are shown one after another, in turn. */
export const sequence = z.object({
  sequenceId: id,
  ...saved,
  /** Without cameras out of the caller's scope, and without steps that then have none. */
  steps: z.array(step),
})
export type Sequence = z.infer<typeof sequence>

export const newSequence = z.object({ name, steps })

const cell = z.int().check(z.gte(0), z.lte(2))
const cells = z.int().check(z.gte(1), z.lte(3))
const tile = z.object({ x: cell, y: cell, w: cells, h: cells, cameraId: id })
/** Cells of the grid: 1, 2 × 2, or 3 × 3. */
const grid = z.literal([1, 4, 9])

/** Which camera is where when several are watched. */
export const layout = z.object({
  layoutId: id,
  ...saved,
  grid,
  /** Without cameras out of the caller's scope. */
  tiles: z.array(tile),
  /** All users of the account have it; otherwise only the one who made it. */
  shared: z.boolean(),
})
export type Layout = z.infer<typeof layout>

const layoutFields = {
  name,
  grid,
  tiles: z.array(tile).check(z.maxLength(MAX_VIEW_CAMERAS)),
  /** The account owner only. */
  shared: z.optional(z.boolean()),
}

type Arrangement = { grid?: number | undefined; tiles?: z.infer<typeof tile>[] | undefined }

/** A patch has both or neither, because each is wrong or right with the other. */
const arrangementCheck: z.core.CheckFn<Arrangement> = ({ value, issues }) => {
  const message = arrangementProblem(value)
  if (message !== undefined) issues.push({ code: 'custom', path: ['tiles'], message, input: value })
}

function arrangementProblem({ grid: cellsInAll, tiles }: Arrangement): string | undefined {
  if (cellsInAll !== undefined && tiles !== undefined) return tilesProblem(cellsInAll, tiles)
  return cellsInAll === tiles ? undefined : 'needs grid and tiles'
}

export const newLayout = z.object(layoutFields).check(arrangementCheck)
export const layoutPatch = z.partial(z.object(layoutFields)).check(arrangementCheck)

const created = ['validation', 'notFound', 'businessRule'] as const
const changed = ['validation', 'notFound'] as const
const seen = { access: 'tenant', method: 'GET', right: 'CameraView', support: 'yes', errors: ['validation'] } as const
const listed = { sort: ['name', 'createdAt'], defaultLimit: 'all' } as const

const groupParams = z.object({ cameraGroupId: idText })
const ofGroup = { 'params.cameraGroupId': 'cameraGroup' } as const
const ofCameras = { 'body.cameraIds': 'camera' } as const

export const getCameraGroups = route({
  ...seen,
  name: 'getCameraGroups',
  summary: 'List the camera groups of the account in which the caller can access a camera',
  path: 'cameraGroups',
  reply: z.array(cameraGroup),
  list: { key: 'cameraGroupId', ...listed },
})

export const postCameraGroup = route({
  name: 'postCameraGroup',
  summary: 'Create a camera group',
  method: 'POST',
  path: 'cameraGroups',
  access: 'tenant',
  right: 'addCameraGroup',
  support: 'yes',
  ids: ofCameras,
  status: 201,
  body: newCameraGroup,
  reply: cameraGroup,
  errors: created,
})

export const patchCameraGroup = route({
  name: 'patchCameraGroup',
  summary: 'Change the name or the cameras of a camera group',
  method: 'PATCH',
  path: 'cameraGroups/{cameraGroupId}',
  access: 'object',
  right: 'editCameraGroup',
  support: 'yes',
  ids: { ...ofGroup, ...ofCameras },
  params: groupParams,
  body: z.partial(newCameraGroup),
  reply: cameraGroup,
  errors: changed,
})

export const deleteCameraGroup = route({
  name: 'deleteCameraGroup',
  summary: 'Delete a camera group; its cameras stay',
  method: 'DELETE',
  path: 'cameraGroups/{cameraGroupId}',
  access: 'object',
  right: 'deleteCameraGroup',
  support: 'yes',
  ids: ofGroup,
  params: groupParams,
  status: 204,
  reply: nothing,
  errors: ['notFound'],
})

const sequenceParams = z.object({ sequenceId: idText })
const ofSequence = { 'params.sequenceId': 'sequence' } as const

export const getSequences = route({
  ...seen,
  name: 'getSequences',
  summary: 'List the sequences of the account in which the caller can access a camera',
  path: 'sequences',
  reply: z.array(sequence),
  list: { key: 'sequenceId', ...listed },
})

export const postSequence = route({
  name: 'postSequence',
  summary: 'Create a sequence: up to nine cameras at a time, for some seconds each',
  method: 'POST',
  path: 'sequences',
  access: 'tenant',
  right: 'addSequence',
  support: 'yes',
  status: 201,
  body: newSequence,
  reply: sequence,
  errors: created,
})

export const patchSequence = route({
  name: 'patchSequence',
  summary: 'Change the name or the steps of a sequence',
  method: 'PATCH',
  path: 'sequences/{sequenceId}',
  access: 'object',
  right: 'editSequence',
  support: 'yes',
  ids: ofSequence,
  params: sequenceParams,
  body: z.partial(newSequence),
  reply: sequence,
  errors: changed,
})

export const deleteSequence = route({
  name: 'deleteSequence',
  summary: 'Delete a sequence; its cameras stay',
  method: 'DELETE',
  path: 'sequences/{sequenceId}',
  access: 'object',
  right: 'deleteSequence',
  support: 'yes',
  ids: ofSequence,
  params: sequenceParams,
  status: 204,
  reply: nothing,
  errors: ['notFound'],
})

const layoutParams = z.object({ layoutId: idText })
const ofLayout = { 'params.layoutId': 'layout' } as const
/** What a support session arranges would belong to nobody. */
const arranging = { right: 'CameraView', support: 'no' } as const

export const getLayouts = route({
  ...seen,
  name: 'getLayouts',
  summary: 'List the caller’s layouts and those that all users of the account have',
  path: 'layouts',
  reply: z.array(layout),
  list: { key: 'layoutId', ...listed },
})

export const postLayout = route({
  ...arranging,
  name: 'postLayout',
  summary: 'Save a layout for oneself or, as the account owner, for all users',
  method: 'POST',
  path: 'layouts',
  access: 'tenant',
  status: 201,
  body: newLayout,
  reply: layout,
  errors: created,
})

export const patchLayout = route({
  ...arranging,
  name: 'patchLayout',
  summary: 'Change a layout; only the account owner can change one that all users have',
  method: 'PATCH',
  path: 'layouts/{layoutId}',
  access: 'object',
  ids: ofLayout,
  params: layoutParams,
  body: layoutPatch,
  reply: layout,
  errors: changed,
})

export const deleteLayout = route({
  ...arranging,
  name: 'deleteLayout',
  summary: 'Delete a layout; its cameras stay',
  method: 'DELETE',
  path: 'layouts/{layoutId}',
  access: 'object',
  ids: ofLayout,
  params: layoutParams,
  status: 204,
  reply: nothing,
  errors: ['notFound'],
})
