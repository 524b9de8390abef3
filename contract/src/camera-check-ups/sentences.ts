import type { CheckUpReason, CheckUpTopic } from './findings.ts'

/** What is looked at, in the order of the report. */
export const checkUpTopicNames = {
  clock: 'Clock',
  signIn: 'Sign-in',
  connection: 'Connection',
  keyframes: 'Keyframes',
  packetLoss: 'Packet loss',
  jitter: 'Jitter',
  motionDelay: 'Motion delay',
  subStream: 'Second stream',
  card: 'Storage card',
  firmware: 'Firmware',
} as const satisfies Readonly<Record<CheckUpTopic, string>>

/** In which unit each topic is measured. */
export const checkUpUnits = {
  clock: 'second',
  keyframes: 'second',
  packetLoss: 'percent',
  jitter: 'millisecond',
  motionDelay: 'second',
} as const satisfies Partial<Readonly<Record<CheckUpTopic, 'second' | 'millisecond' | 'percent'>>>

/** What was found, in plain words; `{measured}` and `{limit}` are numbers with the unit of the topic, `{subject}` is a name. */
export const checkUpSentences = {
  clockRight: 'The camera’s clock is right.',
  clockWrong: 'The camera’s clock is off by {measured}. Events and footage from its card would get the wrong time.',
  clockWrongNtp:
    'The camera’s clock is off by {measured} although it uses a time server (NTP). Check the server under “Network”, or set the clock without one.',
  signInEncrypted: 'The password is sent over an encrypted connection.',
  signInDigest: 'The camera asks for a password and never receives it in plain text.',
  signInBasic: 'The camera receives its password in plain text, so anyone on the network can read it.',
  signInDefault: 'The camera still uses a well-known default password, which anyone can guess. Change it.',
  signInOpen:
    'The camera shows its video without a password. Set one in the camera’s own settings, then enter it under “Network”.',
  connectionTls: 'Video is encrypted, and the camera has to show the same certificate each time.',
  connectionTcp: 'Video isn’t encrypted on its way from the camera to the server.',
  connectionHttp: 'Video isn’t encrypted. It comes over HTTP, because the camera offers nothing else on this port.',
  connectionUdp: 'Video comes over UDP, where packets can get lost, and it isn’t encrypted.',
  keyframesOften: 'A keyframe comes every {measured}.',
  keyframesRare:
    'A keyframe comes only every {measured} or more. Clips of events need one at least every {limit} to include what happened just before.',
  lossNone: 'No packets were lost.',
  lossSome:
    '{measured} of the packets were lost, so pictures are missing. Check the cable, the Wi-Fi signal and the camera’s bandwidth.',
  jitterLow: 'Pictures arrive evenly, within {measured}.',
  jitterHigh:
    'Pictures arrive up to {measured} late. Live video can stutter. Check the network, or lower the camera’s bandwidth.',
  motionFast: 'Motion was reported after {measured}.',
  motionSlow: 'Motion was reported only after {measured}. Events begin late.',
  motionNone: 'No motion was reported while the check waited. Start it again and walk through the picture.',
  motionSkipped: 'The wait for motion was skipped.',
  motionUnwatched: 'Nothing looks for motion at this camera. Switch it on under “Detections”.',
  motionUntimed: 'Motion was reported, but the camera doesn’t say when it began, so the delay isn’t known.',
  subStreamUsed: 'A smaller second stream is used for small pictures.',
  subStreamUnused:
    'The camera offers a smaller second stream that isn’t used. It saves bandwidth where pictures are small.',
  subStreamSwapped: 'The second stream is larger than the main stream. The two are swapped.',
  subStreamSilent: 'The second stream doesn’t play. Small pictures use the main stream, which costs more bandwidth.',
  subStreamMissing: 'The camera has no second stream, so small pictures use the main stream.',
  cardReady: 'The storage card works.',
  cardMissing: 'There is no storage card in the camera.',
  cardUnformatted: 'The storage card has to be formatted before the camera can record to it.',
  cardFaulty: 'The storage card is faulty. Replace it.',
  cardNone: 'The camera doesn’t report a storage card.',
  firmwareNewest: 'No newer firmware is offered.',
  firmwareOffered: 'Firmware {subject} is available.',
  notOnvif: 'This can’t be checked, because the camera isn’t connected by ONVIF.',
  notAnswered: 'The camera didn’t answer this question.',
  noVideo: 'No video came, so this couldn’t be measured.',
} as const satisfies Readonly<Record<CheckUpReason, string>>
