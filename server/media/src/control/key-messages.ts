/** How a media worker asks the parent process for keys: {@link KeyService} over the channel between the two. */
import type { DayKey, WrappedDayKey } from '../recording/index.ts'
import type { KeyedCamera, KeyService } from './key-service.ts'

export type KeyQuestion = { readonly camera: KeyedCamera } & (
  | { readonly what: 'dayKeys'; readonly days: readonly string[] }
  | { readonly what: 'dayKey'; readonly keyId: string; readonly beside: WrappedDayKey | undefined }
  | { readonly what: 'password'; readonly sealed: Uint8Array }
  /** The camera's id is the recorder's here: both are from one space, so one worker has each. */
  | { readonly what: 'devicePassword'; readonly sealed: Uint8Array }
)

export type KeyAnswer =
  | { readonly what: 'dayKeys'; readonly keys: ReadonlyMap<string, DayKey> }
  | { readonly what: 'dayKey'; readonly key: Uint8Array | undefined }
  | { readonly what: 'password'; readonly password: string }
  | { readonly what: 'devicePassword'; readonly password: string }
  | { readonly what: 'refused'; readonly reason: string }

/** Answers a worker. `isAssigned` says whether it serves the camera; it gets nothing of any other. Never rejects. */
export async function answerKeyQuestion(
  service: KeyService,
  question: KeyQuestion,
  isAssigned: (cameraId: number) => boolean,
  /** Whether it keeps footage of a camera that another one serves: then it gets the keys of days that it has footage of. */
  hasFootage: (cameraId: number) => Promise<boolean> = async () => false,
): Promise<KeyAnswer> {
  try {
    const { camera } = question
    const isReader = async () => question.what === 'dayKey' && (await hasFootage(camera.cameraId))
    if (!isAssigned(camera.cameraId) && !(await isReader()))
      return { what: 'refused', reason: `camera ${camera.cameraId} is not assigned to this worker` }
    switch (question.what) {
      case 'dayKeys':
        return { what: 'dayKeys', keys: await service.prepareDayKeys(camera, question.days) }
      case 'dayKey':
        return { what: 'dayKey', key: await service.findDayKey(camera, question.keyId, question.beside) }
      case 'password':
        return { what: 'password', password: await service.openPassword(camera, question.sealed) }
      case 'devicePassword': {
        const device = { accountId: camera.accountId, deviceId: camera.cameraId }
        return { what: 'devicePassword', password: await service.openDevicePassword(device, question.sealed) }
      }
    }
  } catch (cause) {
    return { what: 'refused', reason: cause instanceof Error ? cause.message : String(cause) }
  }
}

/** @param ask resolves with undefined if the parent process doesn't answer in time. */
export function remoteKeyService(ask: (question: KeyQuestion) => Promise<KeyAnswer | undefined>): KeyService {
  const answerOf = async <What extends KeyAnswer['what']>(question: KeyQuestion & { readonly what: What }) => {
    const answer = await ask(question)
    if (answer?.what === question.what) return answer as Extract<KeyAnswer, { what: What }>
    const reason = answer?.what === 'refused' ? answer.reason : 'no answer in time'
    throw new Error(`could not get keys of camera ${question.camera.cameraId}: ${reason}`)
  }
  return {
    prepareDayKeys: async (camera, days) => (await answerOf({ what: 'dayKeys', camera, days })).keys,
    findDayKey: async (camera, keyId, beside) => (await answerOf({ what: 'dayKey', camera, keyId, beside })).key,
    openPassword: async (camera, sealed) => (await answerOf({ what: 'password', camera, sealed })).password,
    async openDevicePassword({ accountId, deviceId }, sealed) {
      const camera = { accountId, cameraId: deviceId }
      return (await answerOf({ what: 'devicePassword', camera, sealed })).password
    },
  }
}
