import { z } from 'zod'

const port = z.int().min(0).max(65_535)

const videoFile = z.strictObject({
  /** Annex-B file. For the strip it must be encoded as ../README.md says. */
  path: z.string(),
  framesPerSecond: z.number().positive().max(240),
})

const clips = z.strictObject({
  main: videoFile,
  sub: videoFile,
  /** ADTS file for both streams. */
  audio: z.string().optional(),
  /** JPEG file, served as the ONVIF snapshot. */
  snapshot: z.string().optional(),
})

const camera = z.strictObject({
  name: z.string().min(1).max(64),
  mac: z
    .string()
    .regex(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i)
    .toLowerCase(),
  /** 0 uses a free one. */
  rtspPort: port.default(0),
  /** A certificate and its key (PEM): RTSP is served over TLS only. */
  rtspTls: z.strictObject({ cert: z.string(), key: z.string() }).optional(),
  /** The RTSP port speaks HTTP: RTSP is served inside of it only. */
  rtspOverHttp: z.boolean().default(false),
  /** How it sends its media: inside of the RTSP connection, or over UDP only. The other way is refused with 461. */
  rtspMedia: z.enum(['tcp', 'udp']).default('tcp'),
  onvifPort: port.default(0),
  username: z.string().min(1),
  password: z.string(),
  clips,
  /** Seconds this camera is ahead in its clip; without it each camera of a set is a little further than the one before. */
  phaseSeconds: z.number().min(0).optional(),
  /** IANA name: the clock in the strip. */
  timeZone: z.string().default('UTC'),
  digestAlgorithms: z
    .array(z.enum(['MD5', 'SHA-256']))
    .min(1)
    .default(['MD5']),
  /** `none` is the older form of digest (RFC 2069) that many cameras still speak. */
  digestQop: z.enum(['auth', 'none']).default('auth'),
  /** The codec of the sound that the camera takes; `none` ignores that a client requires it, `refused` answers 551. */
  backChannel: z.enum(['none', 'refused', 'PCMU', 'PCMA', 'AAC']).default('none'),
  sessionTimeoutSeconds: z.number().positive().max(3600).default(60),
  /** Whether it turns and zooms. */
  ptz: z.boolean().default(false),
  /** Relay outputs and digital inputs; the last relay switches back after `pulseSeconds`, unless that is 0. */
  io: z
    .strictObject({
      relays: z.int().min(0).max(16).default(0),
      inputs: z.int().min(0).max(16).default(0),
      pulseSeconds: z.number().min(0).default(0),
    })
    .default({ relays: 0, inputs: 0, pulseSeconds: 0 }),
  /** Video inputs, as of a recorder; all show the same. */
  inputs: z.int().min(1).max(64).default(1),
  /** Inputs, from 1, to which no camera is connected: they have profiles, but no stream, no snapshot and no picture size. */
  emptyInputs: z.array(z.int().min(1).max(64)).default([]),
  /** Disks, in MiB, as recorders report them by ISAPI; without any it isn't answered. */
  disks: z.array(z.strictObject({ capacity: z.int().min(1), free: z.int().min(0) })).default([]),
  /** A card on which it records all the time (ONVIF Profile G); without it, it has no recordings. */
  card: z
    .strictObject({
      capacity: z.int().min(1).default(60_000),
      free: z.int().min(0).default(40_000),
      formatMs: z.int().min(0).default(3000),
      secondsBefore: z.int().min(0).default(3600),
      isapi: z.boolean().default(true),
      /** With several inputs: what says which recording is of which input. */
      tiedBy: z.enum(['jobs', 'sources', 'nothing', 'oneJob']).default('jobs'),
    })
    .optional(),
  /** Wi-Fi networks in its reach; without any it has no Wi-Fi. */
  wifi: z
    .strictObject({
      networks: z.array(z.strictObject({ ssid: z.string().min(1).max(32), password: z.string().optional() })),
      joinMs: z.int().min(0).default(1000),
    })
    .optional(),
  /** How its network is set by ONVIF. */
  network: z
    .strictObject({ rebootNeeded: z.boolean().default(false), hasPorts: z.boolean().default(true) })
    .default({ rebootNeeded: false, hasPorts: true }),
  /** How its users are changed by ONVIF. */
  users: z
    .strictObject({
      apart: z.boolean().default(false),
      minLength: z.int().min(0).default(1),
      maxLength: z.int().min(1).default(32),
      level: z.enum(['Administrator', 'Operator']).default('Administrator'),
      most: z.int().min(1).default(8),
      tellsPasswords: z.boolean().default(false),
      keepsPasswords: z.boolean().default(false),
    })
    .default({
      apart: false,
      minLength: 1,
      maxLength: 32,
      level: 'Administrator',
      most: 8,
      tellsPasswords: false,
      keepsPasswords: false,
    }),
  /** How long a restart takes, during which no port is open. */
  restartMs: z.int().min(0).default(1500),
  manufacturer: z.string().default('Sightline'),
  model: z.string().default('Simulated Camera'),
  firmwareVersion: z.string().default('1.0.0'),
  /** How ONVIF takes credentials. */
  onvifAuthentication: z.enum(['either', 'token', 'digest', 'basic']).default('either'),
  /** PEM; with it ONVIF is served over TLS only. */
  onvifTls: z.strictObject({ cert: z.string(), key: z.string() }).optional(),
})

/** The default start of the counter: pictures since then fit in 32 bits until 2031 at 25 a second. */
const DEFAULT_EPOCH = Date.UTC(2026, 0, 1)

export const simulatorSettings = z.strictObject({
  /** Address all cameras listen on. */
  host: z.string().default('127.0.0.1'),
  /** Milliseconds since 1970; the frame counter at a given time is floor((time - epoch) × framesPerSecond / 1000). */
  epoch: z.number().min(0).default(DEFAULT_EPOCH),
  /** Address of the interface for discovery; if omitted, cameras aren't discoverable. */
  discovery: z.strictObject({ interfaceAddress: z.string() }).optional(),
  cameras: z.array(camera).min(1),
})

/** The caller's settings, without defaults. */
export type SimulatorInput = z.input<typeof simulatorSettings>
export type SimulatorSettings = z.output<typeof simulatorSettings>
export type CameraSettings = SimulatorSettings['cameras'][number]
export type CameraClips = z.input<typeof clips>
