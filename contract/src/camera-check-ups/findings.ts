import * as z from 'zod/mini'

export const checkUpTopic = z.enum([
  'clock',
  'signIn',
  'connection',
  'keyframes',
  'packetLoss',
  'jitter',
  'motionDelay',
  'subStream',
  'card',
  'firmware',
])
export type CheckUpTopic = z.infer<typeof checkUpTopic>

/** `advice`: it works and could be better. `unknown`: it couldn't be checked. */
export const checkUpOutcome = z.enum(['ok', 'advice', 'problem', 'unknown'])
export type CheckUpOutcome = z.infer<typeof checkUpOutcome>

export const checkUpReason = z.enum([
  'clockRight',
  'clockWrong',
  'clockWrongNtp',
  'signInEncrypted',
  'signInDigest',
  'signInBasic',
  'signInDefault',
  'signInOpen',
  'connectionTls',
  'connectionTcp',
  'connectionHttp',
  'connectionUdp',
  'keyframesOften',
  'keyframesRare',
  'lossNone',
  'lossSome',
  'jitterLow',
  'jitterHigh',
  'motionFast',
  'motionSlow',
  'motionNone',
  'motionSkipped',
  'motionUnwatched',
  'motionUntimed',
  'subStreamUsed',
  'subStreamUnused',
  'subStreamSwapped',
  'subStreamSilent',
  'subStreamMissing',
  'cardReady',
  'cardMissing',
  'cardUnformatted',
  'cardFaulty',
  'cardNone',
  'firmwareNewest',
  'firmwareOffered',
  'notOnvif',
  'notAnswered',
  'noVideo',
])
export type CheckUpReason = z.infer<typeof checkUpReason>

/**
 * The call that mends it: `setCameraClock`, `patchCameraNetwork`, `patchVideoSettings` (twice), `patchCameraConnection` (twice),
 * `setCameraPassword`, `patchCameraCredentials`, `patchCameraMode`, `formatEdgeStorage`, `upgradeCameraFirmware`.
 */
export const checkUpFix = z.enum([
  'setClock',
  'turnOffNtp',
  'setKeyframeInterval',
  'lowerBandwidth',
  'useSubStream',
  'useTls',
  'changePassword',
  'enterSignIn',
  'recordEarlier',
  'formatCard',
  'upgradeFirmware',
])
export type CheckUpFix = z.infer<typeof checkUpFix>

export const checkUpFinding = z.object({
  topic: checkUpTopic,
  outcome: checkUpOutcome,
  reason: checkUpReason,
  /** Seconds; milliseconds of jitter, percent of packets. */
  measured: z.nullable(z.number()),
  /** In the same unit. */
  limit: z.nullable(z.number()),
  /** What the fix is done with: the number of the card, or the version of the firmware. */
  subject: z.nullable(z.string()),
  /** Null: it can't be mended from here, or doesn't need to be. */
  fix: z.nullable(checkUpFix),
})
export type CheckUpFinding = z.infer<typeof checkUpFinding>
