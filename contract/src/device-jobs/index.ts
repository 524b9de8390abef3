import * as z from 'zod/mini'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

export const deviceJobType = z.enum(['reboot', 'firmwareUpgrade', 'formatStorage', 'checkUp'])
export type DeviceJobType = z.infer<typeof deviceJobType>

export const deviceJobState = z.enum(['queued', 'running', 'done', 'failed', 'canceled'])
export type DeviceJobState = z.infer<typeof deviceJobState>

/** What a job does at the moment, in the specification's words. */
export const deviceJobPhase = z.enum([
  'Requesting',
  'Initializing',
  'Downloading',
  'Installing',
  'Restarting',
  'Formatting',
  'Measuring',
  'WaitingForMotion',
])
export type DeviceJobPhase = z.infer<typeof deviceJobPhase>

/** Work at a camera or a recorder that takes a while (api.md §9). One that hasn't ended by its deadline has failed. */
export const deviceJob = z.object({
  jobId: id,
  type: deviceJobType,
  state: deviceJobState,
  /** 0-100; 100 when it is done. */
  progress: z.int(),
  /** Null until it begins. */
  phase: z.nullable(deviceJobPhase),
  createdAt: dateTime,
  endedAt: z.nullable(dateTime),
  /** Of a failed job: a sentence in English. */
  error: z.optional(z.string()),
})
export type DeviceJob = z.infer<typeof deviceJob>

const jobParams = z.object({ deviceId: idText, jobId: idText })
const ofDevice = { 'params.deviceId': 'device' } as const
const ofJob = { ...ofDevice, 'params.jobId': 'deviceJob' } as const
const started = z.object({ jobId: id })
const common = { access: 'object', right: 'editCamera', support: 'yes' } as const

export const getDeviceJobs = route({
  ...common,
  name: 'getDeviceJobs',
  summary: 'List the jobs of a recorder from the last 90 days, newest first',
  method: 'GET',
  path: 'devices/{deviceId}/jobs',
  operation: 252,
  ids: ofDevice,
  params: z.object({ deviceId: idText }),
  reply: z.array(deviceJob),
  list: { key: 'jobId', sort: ['-createdAt'], defaultLimit: 'all' },
  errors: ['notFound'],
})

const gettingJob = { ...common, method: 'GET', ids: ofJob, params: jobParams, operation: 253 } as const

export const getDeviceJob = route({
  ...gettingJob,
  name: 'getDeviceJob',
  summary: 'Get a job of a recorder',
  path: 'devices/{deviceId}/jobs/{jobId}',
  reply: deviceJob,
  errors: ['notFound'],
})

export const deleteDeviceJob = route({
  ...common,
  name: 'deleteDeviceJob',
  summary: 'Cancel a job of a recorder that has not begun',
  method: 'DELETE',
  path: 'devices/{deviceId}/jobs/{jobId}',
  operation: 260,
  ids: ofJob,
  params: jobParams,
  status: 204,
  reply: nothing,
  errors: ['notFound', 'businessRule'],
})

export const rebootDevice = route({
  ...common,
  name: 'rebootDevice',
  summary: 'Restart a recorder, which takes about 2 minutes and keeps its settings',
  method: 'POST',
  path: 'devices/{deviceId}/reboot',
  operation: 259,
  ids: ofDevice,
  params: z.object({ deviceId: idText }),
  status: 202,
  reply: started,
  errors: ['notFound', 'businessRule', 'deviceOffline'],
})

const cameraJobParams = z.object({ cameraId: idText, jobId: idText })
const ofCamera = { 'params.cameraId': 'camera' } as const
const ofCameraJob = { ...ofCamera, 'params.jobId': 'cameraJob' } as const

export const getCameraJobs = route({
  ...common,
  name: 'getCameraJobs',
  summary: 'List the jobs of a camera from the last 90 days, newest first',
  method: 'GET',
  path: 'cameras/{cameraId}/jobs',
  ids: ofCamera,
  params: z.object({ cameraId: idText }),
  reply: z.array(deviceJob),
  list: { key: 'jobId', sort: ['-createdAt'], defaultLimit: 'all' },
  errors: ['notFound'],
})

export const getCameraJob = route({
  ...common,
  name: 'getCameraJob',
  summary: 'Get a job of a camera',
  method: 'GET',
  path: 'cameras/{cameraId}/jobs/{jobId}',
  ids: ofCameraJob,
  params: cameraJobParams,
  reply: deviceJob,
  errors: ['notFound'],
})

export const deleteCameraJob = route({
  ...common,
  name: 'deleteCameraJob',
  summary: 'Cancel a job of a camera that has not begun, or end a check-up early',
  method: 'DELETE',
  path: 'cameras/{cameraId}/jobs/{jobId}',
  ids: ofCameraJob,
  params: cameraJobParams,
  status: 204,
  reply: nothing,
  errors: ['notFound', 'businessRule'],
})

export const rebootCamera = route({
  ...common,
  name: 'rebootCamera',
  summary: 'Restart a camera (ONVIF), which takes about 2 minutes without video and keeps its settings',
  method: 'POST',
  path: 'cameras/{cameraId}/reboot',
  ids: ofCamera,
  params: z.object({ cameraId: idText }),
  status: 202,
  reply: started,
  errors: ['notFound', 'businessRule', 'capabilityNotSupported', 'cameraOffline'],
})
