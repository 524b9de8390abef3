import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import type { OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { element, list, neededText, number, optionalElement } from './shapes.ts'
import { decodeXml, parseXml } from './xml.ts'

const MAX_SOURCES = 256
const MAX_LIST_BYTES = 1024 * 1024

const sourcesShape = z.object({
  VideoSources: list(
    z.object({ '@token': neededText, Resolution: optionalElement(z.object({ Width: number, Height: number })) }),
    MAX_SOURCES,
  ),
})

/**
 * The video sources of a recorder that have a picture (ONVIF Media §5.3.1): one without a camera has no size, or isn't listed.
 * Undefined if the recorder doesn't say.
 */
export async function readLiveSources(
  device: OnvifCommander,
  signal: AbortSignal,
): Promise<OnvifResult<ReadonlySet<string> | undefined>> {
  const request = { shape: sourcesShape, maxReplyBytes: MAX_LIST_BYTES, signal }
  const reply = await device.call('media', 'GetVideoSources', request)
  if (!reply.ok) return reply.failure.isRefusal === true ? ok(undefined) : reply
  const { VideoSources } = reply.value
  const sized = VideoSources.filter(({ Resolution }) => Resolution === undefined || Resolution.Width > 0)
  return ok(new Set(sized.map((source) => source['@token'])))
}

/** Restarts a device (ONVIF Core §8.3.15), which keeps its settings. */
export async function restartDevice(device: OnvifCommander, signal: AbortSignal): Promise<OnvifResult<null>> {
  const reply = await device.call('device', 'SystemReboot', { shape: z.unknown(), signal })
  return reply.ok ? ok(null) : fail(reply.failure)
}

/** Bytes. */
export interface DeviceStorage {
  readonly totalBytes: number
  readonly usedBytes: number
}

const MIB = 1024 * 1024
const STORAGE_PATH = '/ISAPI/ContentMgmt/Storage'
const MAX_STORAGE_BYTES = 256 * 1024

const storageShape = z.object({
  storage: element(
    z.object({
      hddList: optionalElement(z.object({ hdd: list(z.object({ capacity: number, freeSpace: number }), 64) })),
    }),
  ),
})

/**
 * The disks of a recorder, all together. ONVIF has no request for their size; many recorders answer that of ISAPI, in MiB. Undefined
 * if this one doesn't.
 */
export async function readStorage(device: OnvifCommander, signal: AbortSignal): Promise<DeviceStorage | undefined> {
  const address = { ...device.client.address, path: STORAGE_PATH }
  const reply = await device.client.download({ address, timeoutMs: 5000, maxReplyBytes: MAX_STORAGE_BYTES, signal })
  if (!reply.ok) return undefined
  const parsed = z.safeParse(storageShape, parseXml(decodeXml(reply.value)))
  const disks = parsed.success ? (parsed.data.storage.hddList?.hdd ?? []) : []
  const total = disks.reduce((sum, { capacity }) => sum + capacity, 0)
  if (total === 0) return undefined
  const free = disks.reduce((sum, { freeSpace }) => sum + freeSpace, 0)
  return { totalBytes: total * MIB, usedBytes: Math.max(0, total - free) * MIB }
}
