import type { CameraCard } from '@sightline/contract/media-plane'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import type { OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { element, list, number, optionalElement, text } from './shapes.ts'
import { decodeXml, parseXml } from './xml.ts'

/** ISAPI: the only request for cards that many cameras of different makers answer. */
const STORAGE_PATH = '/ISAPI/ContentMgmt/Storage'
const MAX_REPLY_BYTES = 256 * 1024
const REPLY_MS = 5000
/** Cameras that answer a format only when it is done take minutes. */
const FORMAT_REPLY_MS = 8000
const MAX_CARDS = 16
/** Later times have no place in an answer. */
const YEAR_9999 = Date.UTC(9999)

const disk = z.object({
  id: number,
  hddName: text,
  hddType: text,
  status: text,
  capacity: number,
  freeSpace: number,
})
const storageShape = z.object({
  storage: element(z.object({ hddList: optionalElement(z.object({ hdd: list(disk, MAX_CARDS) })) })),
})
const summaryShape = z.object({
  Summary: element(z.object({ DataFrom: text, DataUntil: text, NumberRecordings: number })),
})

/** The words of ISAPI; any other is a fault of the card. */
const states: Readonly<Record<string, CameraCard['state']>> = {
  ok: 'ok',
  idle: 'ok',
  normal: 'ok',
  formating: 'formatting',
  formatting: 'formatting',
  notexist: 'missing',
  offline: 'missing',
}
const UNFORMATTED = new Set(['unformatted', 'uninitialized', 'unrecordhostformatted'])

/**
 * The cards of a camera: by ISAPI with their size, otherwise only what ONVIF Profile G tells, which is the time that the camera's
 * recordings cover. `isUnsupported` in the fault: it answers neither.
 */
export async function readCards(
  device: OnvifCommander,
  signal: AbortSignal,
): Promise<OnvifResult<readonly CameraCard[]>> {
  const services = await device.services()
  if (!services.ok) return services
  const [disks, summary] = await Promise.all([listDisks(device, signal), readSummary(device, signal)])
  const span = summary.ok ? summary.value : NOTHING
  if (disks.length > 0) return ok(disks.map((one, at) => toCard(one, at === 0 ? span : NOTHING)))
  if (!summary.ok) return summary
  const { from, until, count } = span
  const isInUse = count > 0
  return ok([
    {
      edgeStorageId: 0,
      name: '',
      state: 'ok',
      capacityMiB: null,
      usedMiB: null,
      inUse: isInUse,
      formatted: true,
      formattable: false,
      recordedFrom: isInUse ? from : null,
      recordedUntil: isInUse ? until : null,
    },
  ])
}

type Disk = z.infer<typeof disk>

async function listDisks(device: OnvifCommander, signal: AbortSignal): Promise<readonly Disk[]> {
  const address = { ...device.client.address, path: STORAGE_PATH }
  const reply = await device.client.download({
    address,
    timeoutMs: REPLY_MS,
    maxReplyBytes: MAX_REPLY_BYTES,
    signal,
  })
  if (!reply.ok) return []
  const parsed = z.safeParse(storageShape, parseXml(decodeXml(reply.value)))
  const disks = parsed.success ? (parsed.data.storage.hddList?.hdd ?? []) : []
  return disks.filter((one) => Number.isInteger(one.id))
}

interface RecordedSpan {
  /** Milliseconds since 1970, by our clock. */
  readonly from: number | null
  readonly until: number | null
  readonly count: number
}
const NOTHING: RecordedSpan = { from: null, until: null, count: 0 }

/** ONVIF Recording Search §5.6. */
async function readSummary(device: OnvifCommander, signal: AbortSignal): Promise<OnvifResult<RecordedSpan>> {
  const reply = await device.call('search', 'GetRecordingSummary', { shape: summaryShape, signal })
  if (!reply.ok) return reply
  const { DataFrom, DataUntil, NumberRecordings } = reply.value.Summary
  const ours = (time: string | undefined) => {
    const parsed = Date.parse(time ?? '') - device.client.clockAheadMs
    return parsed > 0 && parsed < YEAR_9999 ? parsed : null
  }
  return ok({ from: ours(DataFrom), until: ours(DataUntil), count: NumberRecordings })
}

function toCard({ id, hddName, status, capacity, freeSpace }: Disk, { from, until }: RecordedSpan): CameraCard {
  const word = (status ?? '').toLowerCase().replaceAll(/[^a-z]/g, '')
  const state = states[word] ?? 'error'
  const used = Math.max(0, capacity - freeSpace)
  const isThere = state !== 'missing'
  return {
    edgeStorageId: id,
    name: (hddName ?? '').slice(0, 64),
    state,
    capacityMiB: isThere ? Math.round(capacity) : null,
    usedMiB: isThere ? Math.round(used) : null,
    inUse: isThere && (from !== null || used > 0),
    formatted: isThere && !UNFORMATTED.has(word),
    formattable: isThere,
    recordedFrom: isThere ? from : null,
    recordedUntil: isThere ? until : null,
  }
}

/** Begins to format a card. ONVIF has no request for it, so only cameras with ISAPI can be asked. */
export async function formatCard(
  device: OnvifCommander,
  edgeStorageId: number,
  signal: AbortSignal,
): Promise<OnvifResult<null>> {
  const disks = await listDisks(device, signal)
  if (!disks.some(({ id }) => id === edgeStorageId)) {
    return fail({
      ...fault('badReply', `expected a card ${edgeStorageId}, the camera lists ${disks.length}`),
      isUnsupported: true,
    })
  }
  const address = { ...device.client.address, path: `${STORAGE_PATH}/hdd/${edgeStorageId}/format` }
  const asked = await device.client.download({
    address,
    method: 'PUT',
    timeoutMs: FORMAT_REPLY_MS,
    maxReplyBytes: MAX_REPLY_BYTES,
    signal,
  })
  // Many answer when it is done, which takes longer than anybody waits.
  return asked.ok || asked.failure.kind === 'timeout' ? ok(null) : asked
}
