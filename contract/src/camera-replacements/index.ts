import * as z from 'zod/mini'
import { additionStep, additionStepState, additionSubStatus, newCamera } from '../camera-additions/index.ts'
import { abilityNames, cameraAbilities } from '../camera-capabilities/index.ts'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

/** How long the former device can be restored. */
export const UNDO_HOURS = 24

/** How the new device is reached, as for a new camera; the name, zone and everything else stay. */
export const replacementDevice = z.omit(newCamera, { name: true, zoneId: true, ethMacAddress: true, machines: true })
export type ReplacementDevice = z.infer<typeof replacementDevice>

/**
 * `none`: the camera wasn't replaced lately. `ready`: a trial run passed. `failure`: the new device could not be connected, and the
 * camera stays as it was. `undone`: the former device is back.
 */
export const replacementStatus = z.enum(['none', 'inProgress', 'ready', 'failure', 'replaced', 'undone'])
export type ReplacementStatus = z.infer<typeof replacementStatus>

export const replacementSubject = z.enum([
  ...abilityNames,
  /** Of the main stream. */
  'resolution',
  'codec',
  /** What is heard with the video. */
  'sound',
  /** The smaller stream for small pictures. */
  'subStream',
  /** Saved positions stay in the former device. */
  'presets',
  /** Detection areas and tripwires were drawn over a picture of another shape. */
  'areas',
  /** The device sends no events. */
  'onvif',
])
export type ReplacementSubject = z.infer<typeof replacementSubject>

/** `missing`: the new device lacks it. `changed`: it has something else. `unknown`: it didn't say. */
export const replacementLoss = z.enum(['missing', 'changed', 'unknown'])
export type ReplacementLoss = z.infer<typeof replacementLoss>

export const replacementDifference = z.object({
  subject: replacementSubject,
  loss: replacementLoss,
  /** The former value, such as `1920x1080` or `h264`; null if there is none. */
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
})
export type ReplacementDifference = z.infer<typeof replacementDifference>

export const cameraReplacement = z.object({
  cameraId: id,
  status: replacementStatus,
  /** Whether it was only tried. */
  dryRun: z.boolean(),
  /** The six steps of an addition; empty with the status `none`. */
  steps: z.array(z.object({ step: additionStep, state: additionStepState })),
  subStatus: additionSubStatus,
  /** Of a failure: the error code of operation 59; otherwise null. */
  code: z.nullable(z.int()),
  /** What to do about the failure; otherwise null. */
  message: z.nullable(z.string()),
  startedAt: z.nullable(dateTime),
  /** As the new device named itself. */
  brand: z.nullable(z.string()),
  model: z.nullable(z.string()),
  /** What the new device lacks against the one before; null until it is known. */
  differences: z.nullable(z.array(replacementDifference)),
  /** The device that can be put back; null: none, or its time is over. */
  former: z.nullable(
    z.object({
      brand: z.nullable(z.string()),
      model: z.nullable(z.string()),
      replacedAt: dateTime,
      undoUntil: dateTime,
    }),
  ),
})
export type CameraReplacement = z.infer<typeof cameraReplacement>

/** What a device is and sends, as far as it can be compared with another one. */
export const comparedDevice = z.object({
  codec: z.nullable(z.string()),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  audioCodec: z.nullable(z.string()),
  hasSubStream: z.boolean(),
  isOnvif: z.boolean(),
  /** Null if it wasn't asked or didn't answer. */
  abilities: z.nullable(cameraAbilities),
})
export type ComparedDevice = z.infer<typeof comparedDevice>

const ofCamera = {
  access: 'object',
  right: 'addCameraManually',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  path: 'cameras/{cameraId}/replacement',
} as const

export const getCameraReplacement = route({
  ...ofCamera,
  name: 'getCameraReplacement',
  summary: 'Get the progress of a camera replacement, what the new device lacks, and how long it can be undone',
  method: 'GET',
  reply: cameraReplacement,
  errors: ['notFound'],
})

export const postCameraReplacement = route({
  ...ofCamera,
  name: 'postCameraReplacement',
  summary: 'Connect a camera to another device; its id, name, zone, rights and footage stay',
  method: 'POST',
  status: 202,
  body: z.extend(replacementDevice, {
    /** True only tries the new device and reports what it lacks; the camera stays as it is. */
    dryRun: z.optional(z.boolean()),
  }),
  reply: cameraReplacement,
  errors: ['validation', 'notFound', 'duplicate', 'businessRule'],
})

export const undoCameraReplacement = route({
  ...ofCamera,
  name: 'undoCameraReplacement',
  summary: 'Connect a camera to its former device again, within 24 hours',
  method: 'DELETE',
  status: 204,
  reply: nothing,
  errors: ['notFound', 'duplicate', 'businessRule'],
})
