import * as z from 'zod/mini'
import { cameraLogLevel } from '../camera-logs/index.ts'
import { dateTime, dateTimeText, id, idText, route } from '../wire/index.ts'

export const deviceLogEvents = [
  'connected',
  'connectionLost',
  'connectionFailed',
  'credentialsRefused',
  /** An input that had no video has one. */
  'channelOnline',
  'channelOffline',
  'rebootStarted',
  'rebootFinished',
  'rebootFailed',
  'firmwareUpgraded',
  'firmwareFailed',
] as const
export const deviceLogEvent = z.enum(deviceLogEvents)
export type DeviceLogEvent = z.infer<typeof deviceLogEvent>

/** Days that entries are kept. */
export const DEVICE_LOG_DAYS = 90

/** An event of a recorder's connection, its inputs or its jobs (api.md §20). */
export const deviceLogEntry = z.object({
  deviceLogId: id,
  time: dateTime,
  level: cameraLogLevel,
  event: deviceLogEvent,
  /** A sentence in English; never a password. */
  detail: z.string(),
})
export type DeviceLogEntry = z.infer<typeof deviceLogEntry>

export const getDeviceLogs = route({
  name: 'getDeviceLogs',
  summary: 'List connection, input and job events of a recorder from the last 90 days, newest first',
  method: 'GET',
  path: 'devices/{deviceId}/logs',
  access: 'object',
  right: 'logFiles',
  support: 'yes',
  operation: 261,
  ids: { 'params.deviceId': 'device' },
  params: z.object({ deviceId: idText }),
  query: z.object({
    /** Earliest time, inclusive. */
    from: z.optional(dateTimeText),
    /** Latest time, exclusive. */
    till: z.optional(dateTimeText),
    /** This level and higher. */
    level: z.optional(cameraLogLevel),
  }),
  reply: z.array(deviceLogEntry),
  list: { key: 'deviceLogId', sort: ['-time'], defaultLimit: 100, pagedBy: 'store' },
  errors: ['validation', 'notFound'],
})
