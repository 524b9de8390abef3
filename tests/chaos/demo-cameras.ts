import { setTimeout as sleep } from 'node:timers/promises'
import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import type { RecordingTimeline } from '@sightline/contract/recordings'
import { callApi } from '../signed-in.ts'

/** Calls the API of one running product as one user. */
export interface ApiCaller {
  readonly origin: string
  readonly token: string
}

async function get<T>({ origin, token }: ApiCaller, path: string): Promise<T> {
  const { status, body } = await callApi<T>(origin, token, `GET ${path}`)
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`)
  return body
}

export const listCameras = (caller: ApiCaller): Promise<Camera[]> => get(caller, 'cameras')

export const listStatuses = (caller: ApiCaller): Promise<CameraStatus[]> => get(caller, 'cameras/all/status')

/** The recorded segments, and gaps with their reasons; times in milliseconds since 1970. */
export const loadTimeline = (
  caller: ApiCaller,
  { cameraId, from, till }: { readonly cameraId: number; readonly from: number; readonly till: number },
): Promise<RecordingTimeline> => {
  const span = `from=${new Date(from).toISOString()}&till=${new Date(till).toISOString()}`
  return get(caller, `cameras/${cameraId}/recordingTimeline?${span}`)
}

const PATIENCE_MS = 60_000

/** Polls until the check returns a value. */
export async function until<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > deadline) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`)
    await sleep(50)
  }
}

/** Waits until every camera of the account is being recorded. */
export const untilAllRecord = (caller: ApiCaller): Promise<CameraStatus[]> =>
  until('every camera records', async () => {
    const statuses = await listStatuses(caller)
    return statuses.length > 0 && statuses.every(({ recordingOnCloud }) => recordingOnCloud) && statuses
  })
