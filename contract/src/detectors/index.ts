import * as z from 'zod/mini'
import { cameraPortId } from '../camera-io/index.ts'
import { idText, route } from '../wire/index.ts'
import { areaFault, MAX_AREAS, MAX_POINTS, MIN_POINTS } from './areas.ts'

export {
  areaCovers,
  areaFault,
  crossesLine,
  isCoveredTripwire,
  MAX_AREAS,
  MAX_POINTS,
  withoutCoveredTripwires,
} from './areas.ts'

const share = z.number().check(z.gte(0), z.lte(1))

/** Position in the picture as a share of its width and height, from the upper left corner. */
const point = z.array(share).check(z.length(2))

/**
 * `intrusion`: motion counts only in such areas, if there are any, and gives events of the type `intrusion`. `exclusion`: motion
 * doesn't count there. `tripwire`: a line; what crosses it is an event.
 */
export const detectionArea = z
  .object({
    areaId: z.int().check(z.gte(1), z.lte(MAX_AREAS)),
    kind: z.enum(['intrusion', 'exclusion', 'tripwire']),
    /** Corners of an area, at least three, or points of a line. */
    points: z.array(point).check(z.minLength(MIN_POINTS), z.maxLength(MAX_POINTS)),
    /** Of a tripwire: which way something has to cross it, as seen from its first point; both ways by default. */
    direction: z.optional(z.enum(['both', 'leftToRight', 'rightToLeft'])),
    enabled: z.boolean(),
  })
  .check((given) => {
    const fault = areaFault(given.value)
    if (fault !== undefined)
      given.issues.push({ code: 'custom', message: fault, input: given.value.points, path: ['points'] })
  })
export type DetectionArea = z.infer<typeof detectionArea>

export const detectionAreas = z
  .array(detectionArea)
  .check(z.maxLength(MAX_AREAS))
  .check(z.refine((areas) => new Set(areas.map(({ areaId }) => areaId)).size === areas.length, 'areaId must be unique'))

/** 0 finds only what is large and stands out; 100 also what is small or faint. */
const sensitivity = z.int().check(z.gte(0), z.lte(100))

/** As stored with a camera. */
export const videoDetection = z.object({ enabled: z.boolean(), sensitivity, areas: detectionAreas })
export type VideoDetection = z.infer<typeof videoDetection>

export const videoDetector = z.object({
  enabled: z.boolean(),
  /** Applies to motion that the server finds. */
  sensitivity,
  /** What found the last motion: the camera itself or the server; null before the first. */
  source: z.nullable(z.enum(['camera', 'server'])),
})
export type VideoDetector = z.infer<typeof videoDetector>

/** As stored with a camera. */
export const audioDetection = z.object({ enabled: z.boolean(), sensitivity })
export type AudioDetection = z.infer<typeof audioDetection>

export const audioDetector = z.object({
  enabled: z.boolean(),
  /** How loud something must be: −6 dB of full scale at 0, −30 dB at 50, −54 dB at 100. */
  sensitivity,
  /**
   * With the microphone on: whether the server can measure the sound of this camera (G.711, with a decoder also AAC and Opus), or the
   * camera reports loud sounds itself, by its own threshold.
   */
  available: z.boolean(),
})
export type AudioDetector = z.infer<typeof audioDetector>

/** Sensors that are wired to a camera. */
const MAX_PIR_INPUTS = 16

/** As stored with a camera. */
export const pirDetection = z.object({
  enabled: z.boolean(),
  /** `portId` of digital inputs that PIR sensors are wired to, besides the sensor of the camera itself. */
  inputs: z.array(cameraPortId).check(z.maxLength(MAX_PIR_INPUTS)),
})
export type PirDetection = z.infer<typeof pirDetection>

export const pirDetector = z.object({
  ...pirDetection.def.shape,
  /**
   * Whether events of the camera are followed (ONVIF), so that it can report what a sensor found; not if it said that it has neither a
   * PIR sensor nor inputs that one could be wired to.
   */
  available: z.boolean(),
})
export type PirDetector = z.infer<typeof pirDetector>

export const detectors = z.object({ video: videoDetector, audio: audioDetector, pir: pirDetector })

const ofCamera = {
  access: 'object',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
} as const

export const getDetectors = route({
  ...ofCamera,
  name: 'getDetectors',
  summary: 'Get what a camera is watched for',
  method: 'GET',
  path: 'cameras/{cameraId}/detectors',
  right: 'CameraView',
  reply: detectors,
  errors: ['notFound'],
})

export const getVideoDetector = route({
  ...ofCamera,
  name: 'getVideoDetector',
  summary: 'Get the motion detection of a camera',
  method: 'GET',
  path: 'cameras/{cameraId}/detectors/video',
  right: 'CameraView',
  reply: videoDetector,
  errors: ['notFound'],
})

export const patchVideoDetector = route({
  ...ofCamera,
  name: 'patchVideoDetector',
  summary: 'Turn the motion detection of a camera on or off, or change how sensitive it is',
  method: 'PATCH',
  path: 'cameras/{cameraId}/detectors/video',
  right: 'motionDetection',
  body: z.partial(z.pick(videoDetector, { enabled: true, sensitivity: true })),
  reply: videoDetector,
  errors: ['validation', 'notFound', 'businessRule'],
})

const blockList = z.array(z.int())

/** A sensitivity in a query. */
const sensitivityText = z.pipe(
  z.string().check(z.regex(/^([0-9]|[1-9][0-9]|100)$/)),
  z.transform((text) => Number(text)),
)

export const motionPreview = z.object({
  /**
   * `server`: the server looks for motion; `camera`: the camera does, so there are no blocks; `notOnServer`: this server is
   * not set up to look for it, and the camera has not reported any since it was connected; `off`: neither looks for it now.
   */
  state: z.enum(['server', 'camera', 'notOnServer', 'off']),
  /** Whether motion is going on, by the saved settings. */
  active: z.boolean(),
  /** The picture is divided into so many blocks. */
  columns: z.int(),
  rows: z.int(),
  /** Blocks in which enough moves to be motion at the sensitivity; numbered row by row from the upper left. */
  moving: blockList,
  /** Blocks that are left out because they change all the time, such as a clock. */
  ignored: blockList,
})
export type MotionPreview = z.infer<typeof motionPreview>

export interface MotionPreviewQuestion {
  readonly cameraId: number
  /** From 0 to 100; the saved one by default. */
  readonly sensitivity?: number | undefined
}

export const getMotionPreview = route({
  ...ofCamera,
  name: 'getMotionPreview',
  summary: 'Get what the motion detection of a camera finds now, or would find at another sensitivity',
  method: 'GET',
  path: 'cameras/{cameraId}/detectors/video/preview',
  right: 'motionDetection',
  support: 'video',
  query: z.object({
    /** The saved one by default. */
    sensitivity: z.optional(sensitivityText),
  }),
  reply: motionPreview,
  errors: ['validation', 'notFound'],
})

export const getAudioDetector = route({
  ...ofCamera,
  name: 'getAudioDetector',
  summary: 'Get the detection of loud sounds at a camera',
  method: 'GET',
  path: 'cameras/{cameraId}/detectors/audio',
  right: 'CameraView',
  reply: audioDetector,
  errors: ['notFound'],
})

export const patchAudioDetector = route({
  ...ofCamera,
  name: 'patchAudioDetector',
  summary: 'Turn the detection of loud sounds at a camera on or off, or change how sensitive it is',
  method: 'PATCH',
  path: 'cameras/{cameraId}/detectors/audio',
  right: 'audioPIR',
  body: z.partial(audioDetection),
  reply: audioDetector,
  errors: ['validation', 'notFound', 'businessRule', 'mediaNotSupported'],
})

export const getPirDetector = route({
  ...ofCamera,
  name: 'getPirDetector',
  summary: 'Get the detection by the PIR sensors of a camera',
  method: 'GET',
  path: 'cameras/{cameraId}/detectors/pir',
  right: 'CameraView',
  reply: pirDetector,
  errors: ['notFound'],
})

export const patchPirDetector = route({
  ...ofCamera,
  name: 'patchPirDetector',
  summary:
    'Turn the detection by the PIR sensors of a camera on or off, or choose the inputs that sensors are wired to',
  method: 'PATCH',
  path: 'cameras/{cameraId}/detectors/pir',
  right: 'audioPIR',
  body: z.partial(pirDetection),
  reply: pirDetector,
  errors: ['validation', 'notFound', 'businessRule', 'capabilityNotSupported'],
})

export const getDetectionAreas = route({
  ...ofCamera,
  name: 'getDetectionAreas',
  summary: 'List the areas of a camera’s picture where motion counts, and where it does not',
  method: 'GET',
  path: 'cameras/{cameraId}/detectors/video/areas',
  right: 'CameraView',
  reply: detectionAreas,
  list: { key: 'areaId', sort: ['areaId'], defaultLimit: 'all' },
  errors: ['notFound'],
})

export const putDetectionAreas = route({
  ...ofCamera,
  name: 'putDetectionAreas',
  summary:
    'Replace the areas of a camera’s picture where motion counts, where it does not, and the tripwires; an area over a tripwire disables it; with areas, the server looks for motion where it can, because it does not know the areas of the camera’s own detection',
  method: 'PUT',
  path: 'cameras/{cameraId}/detectors/video/areas',
  right: 'motionDetection',
  body: detectionAreas,
  reply: detectionAreas,
  errors: ['validation', 'notFound'],
})
